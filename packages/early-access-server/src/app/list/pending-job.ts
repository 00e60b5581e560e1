import { type Job, repeatedJob } from '../jobs/jobs.ts';
import type { ListStore } from '../ports/list-store.ts';
import type { Log } from '../ports/log.ts';

const INTERVAL_MS = 600_000;
/** People per transaction. */
const BATCH = 200;

export interface PendingJobOptions {
  readonly list: Pick<ListStore, 'tidyPending'>;
  /** Called after reminders were queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
}

/** Reminds people who have not confirmed their signup, and erases those who never do. */
export function pendingJob({ list, wakeMail, log }: PendingJobOptions): Job {
  return repeatedJob({
    everyMs: INTERVAL_MS,
    log,
    failure: 'pending-failed',
    async run(mayBegin) {
      while (mayBegin() && (await list.tidyPending(BATCH)) > 0) wakeMail();
    },
  });
}
