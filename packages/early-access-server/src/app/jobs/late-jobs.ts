import type { Clock } from '../ports/clock.ts';
import type { MailQueue } from '../ports/store.ts';

/** Longer than the interval of any cron job that is suitable for emails. */
export const JOBS_LATE_MS = 600_000;

export interface LateJobsOptions {
  readonly mails: Pick<MailQueue, 'findNextDue' | 'quotaSpentUntil' | 'pause'>;
  readonly clock: Clock;
  /** Called if emails have been due for too long and no job of this process sends them. */
  readonly onLate: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Detects that a host forgot to run the jobs. Another process may be running them, so emails that stay in the queue are
 * the only evidence.
 */
export function lateJobs({ mails, clock, onLate, onError }: LateJobsOptions) {
  let lastRun: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function areLate(): Promise<boolean> {
    const since = clock() - JOBS_LATE_MS;
    if (lastRun !== null && lastRun > since) return false;
    if ((await mails.quotaSpentUntil()) !== null || (await mails.pause()) !== null) return false;
    const due = await mails.findNextDue();
    return due !== null && due <= since;
  }

  async function look(): Promise<void> {
    timer = undefined;
    try {
      if (await areLate()) onLate();
    } catch (error) {
      onError(error);
    }
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    /** Call it if there may be a message to send. Checks the queue after `JOBS_LATE_MS`, if the process still runs. */
    expectRun(): void {
      timer ??= setTimeout(look, JOBS_LATE_MS).unref();
    },
    noteRun(): void {
      lastRun = clock();
      stop();
    },
    areLate,
    stop,
  };
}
