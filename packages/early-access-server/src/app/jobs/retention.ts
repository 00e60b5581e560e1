import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { type Job, type JobContext, repeatedJob } from './jobs.ts';

export const DEFAULT_RETENTION_DAYS = 395;
/** Rows per transaction, which takes a few milliseconds. */
const BATCH = 500;
/** Pause between transactions, in which requests are handled. */
const PAUSE_MS = 50;

/** Deletes everything older than the retention period, in small steps. */
export function retentionJob({ store, log, clock }: JobContext, days: number): Job {
  return repeatedJob({
    everyMs: HOUR_MS,
    log,
    failure: 'prune-failed',
    async run(mayBegin) {
      const oldest = clock() - days * DAY_MS;
      let removed = 0;
      for (let rows = BATCH; rows > 0 && mayBegin(); removed += rows) {
        rows = await store.prune(oldest, BATCH);
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
      if (removed > 0) log('info', 'pruned', { rows: removed });
    },
  });
}
