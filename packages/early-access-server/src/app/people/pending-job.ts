import { MINUTE_MS } from 'early-access-kit/internal';
import { type Job, type JobContext, repeatedJob } from '../jobs/jobs.ts';

/** People per transaction. */
const BATCH = 200;

/** Reminds people who have not confirmed their signup, and erases those who never do. */
export function pendingJob({ store, wakeMail, log }: JobContext): Job {
  return repeatedJob({
    everyMs: 10 * MINUTE_MS,
    log,
    failure: 'pending-failed',
    async run(mayBegin) {
      while (mayBegin() && (await store.list.tidyPending(BATCH)) > 0) wakeMail();
    },
  });
}
