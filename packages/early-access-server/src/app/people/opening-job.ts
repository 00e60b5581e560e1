import { MINUTE_MS } from 'early-access-kit/internal';
import { type JobContext, type RepeatedJob, repeatedJob } from '../jobs/jobs.ts';

/** People per transaction. */
const BATCH = 100;

type OpeningContext = Pick<JobContext, 'store' | 'wakeMail'>;

/** Signs up the people who wait for the list to open, once it opens. */
export function openingJob({ log, ...context }: OpeningContext & Pick<JobContext, 'log'>): RepeatedJob {
  return repeatedJob({
    everyMs: MINUTE_MS,
    log,
    failure: 'opening-failed',
    run: (mayBegin) => admitWaiting(context, mayBegin),
  });
}

/** If the list is open, signs up waiting people until nobody is left or `mayBegin` returns false. */
export async function admitWaiting({ store, wakeMail }: OpeningContext, mayBegin: () => boolean): Promise<void> {
  while (mayBegin() && (await store.listStatus.admitRequests(BATCH)) > 0) wakeMail();
}
