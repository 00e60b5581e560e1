import { Temporal } from 'temporal-polyfill';
import type { AdminComposer, WeeklyReport } from '../../mail/compose.ts';
import type { MailTransport } from '../../mail/transport.ts';
import type { Analytics, AnalyticsStore, PeriodFigures } from '../analytics/analytics.ts';
import { analyticsRange } from '../analytics/range.ts';
import type { Clock } from '../clock.ts';
import { type Job, repeatedJob } from '../jobs.ts';
import type { Log } from '../log.ts';
import { MAX_ATTEMPTS, retryDelay } from '../mail/message.ts';
import type { AdminStore } from './admin-store.ts';

const INTERVAL_MS = 600_000;

export interface WeeklyEmailsOptions {
  readonly store: { readonly admin: AdminStore; readonly analytics: AnalyticsStore };
  /** Normalised. */
  readonly admins: readonly string[];
  readonly transport: MailTransport;
  readonly composer: AdminComposer;
  readonly dashboardUrl: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Emails about the last week, to the admins who asked for them. */
export interface WeeklyEmails {
  /** Sends what is due: once for each admin and week, and again only after a definite refusal. */
  run(): Promise<void>;
}

interface Pending {
  readonly report: WeeklyReport;
  readonly attempts: number;
  readonly retryAt: number;
}

export function weeklyEmails(options: WeeklyEmailsOptions): WeeklyEmails {
  const { store, admins, transport, composer, dashboardUrl, log, clock } = options;
  /** Claimed emails that were refused, by the admin's address. Those of a process that ends are not sent. */
  const refused = new Map<string, Pending>();

  async function due(email: string): Promise<Pending | null> {
    const { weekly_email, time_zone } = await store.admin.settings(email);
    if (!weekly_email) return null;
    const { from, to, week } = lastWeek(time_zone ?? 'UTC', clock());
    if (await store.admin.isWeeklyEmailClaimed(email, week)) return null;
    const period = analyticsRange({ range: 'custom', from, to, zone: time_zone ?? 'UTC' }, clock(), null);
    // Read before the claim, so that a failure loses nothing.
    const analytics = await store.analytics.read({ ...period, filter: {} });
    if (!(await store.admin.claimWeeklyEmail(email, week))) return null;
    return { report: weeklyReport(from, to, analytics), attempts: 0, retryAt: clock() };
  }

  async function send(email: string): Promise<void> {
    const pending = refused.get(email) ?? (await due(email));
    if (pending === null || pending.retryAt > clock()) return;
    refused.delete(email);
    const attempts = pending.attempts + 1;
    const result = await transport.deliver(composer.weekly(email, pending.report, dashboardUrl));
    if (result.outcome === 'sent') return log('info', 'weekly-email-sent', { attempts });
    log('warn', 'weekly-email-not-sent', { attempts, reason: result.reason });
    if (result.outcome === 'unknown' || result.permanent || attempts >= MAX_ATTEMPTS) return;
    refused.set(email, { ...pending, attempts, retryAt: clock() + retryDelay(attempts) });
  }

  return {
    async run() {
      // Figures that are not complete yet would mislead.
      if ((await store.analytics.progress()) < 1) return;
      for (const email of admins) await send(email);
    },
  };
}

export function weeklyJob(emails: WeeklyEmails, log: Log): Job {
  return repeatedJob({ everyMs: INTERVAL_MS, log, failure: 'weekly-email-failed', run: () => emails.run() });
}

/**
 * Monday to Sunday of the week that is over in the time zone. `week` names it by its Monday, whatever the time zone, so that an admin who
 * changes theirs gets no second email.
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
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

function weeklyReport(from: string, to: string, { figures, previous }: Analytics): WeeklyReport {
  const line = (label: string, read: (figures: PeriodFigures) => number | null, unit = '') => {
    const [value, before] = [read(figures), previous && read(previous)];
    return { label, value: value === null ? '–' : NUMBER.format(value) + unit, change: change(value, before) };
  };
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part * 1_000) / whole) / 10);
  return {
    // With plain spaces: thin ones look odd in a subject.
    period: DATE.formatRange(new Date(from), new Date(to)).replace(/\s/g, ' '),
    figures: [
      line('Visitors', ({ visitors }) => visitors),
      line('Sessions', ({ sessions }) => sessions),
      line('Signups', ({ signups }) => signups),
      line('Conversion', ({ signups, visitors }) => share(signups, visitors), '%'),
      line('Bounce rate', ({ bounces, sessions }) => share(bounces, sessions), '%'),
      line(
        'Average visit',
        ({ duration, timed_sessions }) => (timed_sessions === 0 ? null : Math.round(duration / timed_sessions)),
        ' s',
      ),
    ],
  };
}

/** In percent of the value before. */
function change(value: number | null, before: number | null): string {
  if (value === null || before === null || before === 0) return '';
  const percent = Math.round(((value - before) * 100) / before);
  return percent === 0 ? '±0%' : `${percent > 0 ? '+' : '−'}${NUMBER.format(Math.abs(percent))}%`;
}
