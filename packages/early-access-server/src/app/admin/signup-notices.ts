import { MINUTE_MS } from 'early-access-kit/internal';
import { Temporal } from 'temporal-polyfill';
import { type Job, type JobContext, repeatedJob, runEach } from '../jobs/jobs.ts';
import { EVERYONE } from '../people/people.ts';
import type { AdminSettings } from '../ports/admin-store.ts';

/** The shortest time between two notices. After a launch, a single notice replaces many emails. */
const SOONEST_MS = 5 * MINUTE_MS;
/** The hour at which the daily notice is due, in the admin's time zone. */
const HOUR_OF_DAY = 8;

export function signupNoticesJob(context: JobContext): Job {
  return repeatedJob({
    everyMs: MINUTE_MS,
    log: context.log,
    failure: 'signup-notices-failed',
    async run() {
      await runEach((await context.team()).map((email) => () => notify(email, context)));
    },
  });
}

async function notify(email: string, { store, wakeMail, clock }: JobContext): Promise<void> {
  const after = await store.admin.signupsNoticedUntil(email);
  if (after === null) return;
  const until = noticeUntil(await store.admin.settings(email), after, clock());
  if (until === null) return;
  const { count: signups } = await store.people.count({ ...EVERYONE, from: after, to: until });
  if (signups === 0) return;
  if (await store.admin.queueSignupNotice(email, until, { type: 'signups', signups, since: after })) wakeMail();
}

/** Returns the end of the period that the due notice covers, or null if none is due yet. */
export function noticeUntil(
  { signup_notices, time_zone }: Pick<AdminSettings, 'signup_notices' | 'time_zone'>,
  after: number,
  now: number,
): number | null {
  if (signup_notices === 'off') return null;
  if (signup_notices === 'each') return now - after >= SOONEST_MS ? now : null;
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone ?? 'UTC');
  const today = local.startOfDay().add({ hours: HOUR_OF_DAY });
  const last = Temporal.ZonedDateTime.compare(today, local) <= 0 ? today : today.subtract({ days: 1 });
  return last.epochMilliseconds > after ? last.epochMilliseconds : null;
}
