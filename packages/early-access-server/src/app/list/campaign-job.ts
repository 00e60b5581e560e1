import { pause } from '../jobs/background.ts';
import { type Job, type JobContext, repeatedJob } from '../jobs/jobs.ts';

const INTERVAL_MS = 2_000;
/** The delay between two rounds while messages are being queued, until several rounds had nothing to do. */
const BUSY_MS = 200;
const BUSY_ROUNDS = 50;

/** Starts campaigns that are due, and queues the messages of campaigns, a few at a time. */
export function campaignJob({ store, wakeMail, log }: JobContext): Job {
  async function feed(): Promise<boolean> {
    const { campaigns } = store;
    const started = (await campaigns.schedule?.startDue()) ?? [];
    for (const { people, scheduled_at, started_at } of started) {
      log('info', 'campaign-started', { people, late_ms: (started_at ?? 0) - (scheduled_at ?? 0) });
    }
    const isFed = (await campaigns.feed()) > 0;
    if (isFed) wakeMail();
    return isFed;
  }

  const { start } = repeatedJob({
    everyMs: INTERVAL_MS,
    log,
    failure: 'campaign-not-fed',
    async run(mayBegin) {
      for (let idle = (await feed()) ? 0 : BUSY_ROUNDS; mayBegin() && idle < BUSY_ROUNDS; ) {
        await pause(BUSY_MS);
        idle = mayBegin() && (await feed()) ? 0 : idle + 1;
      }
    },
  });
  return { start, runOnce: async () => void (await feed()) };
}
