import { pause } from '../jobs/background.ts';
import { type Job, type JobContext, repeatedJob } from '../jobs/jobs.ts';
import { pauseForComplaints } from './complaint-guard.ts';

const INTERVAL_MS = 2_000;
/** The delay between rounds while messages are being queued, until several rounds in a row found nothing to do. */
const BUSY_MS = 200;
const BUSY_ROUNDS = 50;

/** How often complaints are counted while messages are being queued, in addition to whenever one arrives. */
const CHECK_MS = 60_000;

export function campaignJob(context: JobContext): Job {
  const { store, wakeMail, log, clock } = context;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Pauses an email that starts while complaints have paused others. */
  async function check(): Promise<void> {
    checkedAt = clock();
    await pauseForComplaints(context);
  }

  async function feed(): Promise<boolean> {
    const { campaigns } = store;
    const started = await campaigns.schedule.startDue();
    for (const { people, scheduled_at, started_at } of started) {
      log('info', 'campaign-started', { people, late_ms: (started_at ?? 0) - (scheduled_at ?? 0) });
    }
    if (started.length > 0) await check();
    const isFed = (await campaigns.feed()) > 0;
    if (isFed && clock() - checkedAt >= CHECK_MS) await check();
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
