import { MINUTE_MS } from 'early-access-kit/internal';
import { type Job, type JobContext, repeatedJob } from '../jobs/jobs.ts';

/** People per transaction. */
const BATCH = 100;

/** Signs up the people who wait for the list to open, once it does. */
export function openingJob({ store, wakeMail, log }: JobContext): Job {
  return repeatedJob({
    everyMs: MINUTE_MS,
    log,
    failure: 'opening-failed',
    async run(mayBegin) {
      while (mayBegin() && (await store.listStatus.admitRequests(BATCH)) > 0) wakeMail();
    },
  });
}
