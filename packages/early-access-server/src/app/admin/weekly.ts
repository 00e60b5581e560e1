import { MINUTE_MS } from 'early-access-kit/internal';
import { Temporal } from 'temporal-polyfill';
import type { Analytics, PeriodFigures } from '../analytics/analytics.ts';
import { analyticsRange } from '../analytics/range.ts';
import { type Job, type JobContext, repeatedJob, runEach } from '../jobs/jobs.ts';
import type { WeeklyReport } from '../mail/notice.ts';
import { dateFormat, LONG_DAY } from '../text/dates.ts';

/** Queues one email about the last week for each admin who has subscribed to it. */
export function weeklyJob(context: JobContext): Job {
  return repeatedJob({
    everyMs: 10 * MINUTE_MS,
    log: context.log,
    failure: 'weekly-email-failed',
    async run() {
      // Incomplete figures would be misleading.
      if ((await context.store.analytics.progress()) < 1) return;
      await runEach((await context.team()).map((email) => () => notify(email, context)));
    },
  });
}

async function notify(email: string, { store, wakeMail, clock }: JobContext): Promise<void> {
  const { weekly_email, time_zone } = await store.admin.settings(email);
  if (!weekly_email) return;
  const zone = time_zone ?? 'UTC';
  const { from, to, week } = lastWeek(zone, clock());
  if (await store.admin.isWeeklyEmailQueued(email, week)) return;
  const period = analyticsRange({ range: 'custom', from, to, zone }, clock(), null);
  const report = weeklyReport(from, to, zone, await store.analytics.read({ ...period, filter: {} }));
  if (await store.admin.queueWeeklyEmail(email, week, { type: 'weekly', ...report })) wakeMail();
}

/**
 * Monday to Sunday of the last complete week in the time zone. `week` identifies it by its Monday regardless of the
 * zone, so that an admin who changes their time zone gets no second email.
 */
export function lastWeek(
  zone: string,
  now: number,
): { readonly from: string; readonly to: string; readonly week: number } {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 + 7 });
  const from = monday.toString();
  return { from, to: monday.add({ days: 6 }).toString(), week: Date.parse(from) };
}

const NUMBER = new Intl.NumberFormat('en');

function weeklyReport(from: string, to: string, zone: string, analytics: Analytics): WeeklyReport {
  const { figures, previous, buckets } = analytics;
  const line = (label: string, read: (figures: PeriodFigures) => number | null, unit = '') => {
    const [value, before] = [read(figures), previous && read(previous)];
    return { label, value: value === null ? '–' : NUMBER.format(value) + unit, change: change(value, before) };
  };
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part * 1_000) / whole) / 10);
  return {
    // Thin spaces look odd in a subject, so they are replaced with plain ones.
    period: dateFormat('UTC', LONG_DAY).formatRange(new Date(from), new Date(to)).replace(/\s/g, ' '),
    figures: [
      line('Visitors', ({ visitors }) => visitors),
      line('Sessions', ({ sessions }) => sessions),
      line('Signups', ({ signups }) => signups),
      line('Conversion', ({ signups, visitors }) => share(signups, visitors), '%'),
      line('Bounced sessions', ({ bounces, sessions }) => share(bounces, sessions), '%'),
      line(
        'Time per session',
        ({ duration, timed_sessions }) => (timed_sessions === 0 ? null : Math.round(duration / timed_sessions)),
        ' s',
      ),
    ],
    dailySignups: buckets.map(({ start, signups }) => ({
      label: dateFormat(zone, { weekday: 'short' }).format(start),
      signups,
    })),
  };
}

function change(value: number | null, before: number | null): string {
  if (value === null || before === null || before === 0) return '';
  const percent = Math.round(((value - before) * 100) / before);
  return percent === 0 ? '±0%' : `${percent > 0 ? '+' : '−'}${NUMBER.format(Math.abs(percent))}%`;
}
