import type { Clock } from '../ports/clock.ts';
import { describeError, type Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

/** Background work. It runs continuously in a long-lived process, or one round at a time from a cron job. */
export interface Job {
  start(): RunningJob;
  /** Does what is due now. Starts nothing new once `mayBegin` returns false. Rejects if the store fails. */
  runOnce(mayBegin: () => boolean): Promise<void>;
}

export interface RunningJob {
  wake(): void;
  /** Starts nothing new, and waits at most `withinMs` for work in progress. */
  stop(withinMs: number): Promise<void>;
}

export interface JobContext {
  readonly store: Store;
  /** The normalized addresses of everyone who may use the dashboard. */
  readonly team: () => Promise<readonly string[]>;
  /** The normalized addresses of the admins among them. */
  readonly admins: () => Promise<readonly string[]>;
  /** Called after emails were queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** Runs all, one after another, even if some fail. Rejects with the failure, or with an error that describes each. */
export async function runEach(works: Iterable<() => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => failures.push(error));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, [...new Set(failures.map(describeError))].join('; '));
}

/** Returns a function that returns true until `withinMs` milliseconds have passed. */
export function createTimeLimit(withinMs: number, clock: Clock): () => boolean {
  const start = clock();
  return () => clock() - start <= withinMs;
}

interface RepeatedJobOptions {
  readonly everyMs: number;
  readonly log: Log;
  /** The name of the log event for a failure. The next run tries again. */
  readonly failure: string;
  readonly run: (mayBegin: () => boolean) => Promise<void>;
}

/** Once started, the job can be woken before its next run. */
export interface RepeatedJob extends Job {
  look(): void;
}

/** Creates a job that runs at the start, and again `everyMs` milliseconds after each run. */
export function repeatedJob({ everyMs, log, failure, run }: RepeatedJobOptions): RepeatedJob {
  let look = () => {};
  return {
    look: () => look(),
    start() {
      let isOpen = true;
      let timer: NodeJS.Timeout | undefined;
      let isAsked = false;
      look = () => {
        // Without a timer, a run is in progress.
        isAsked = timer === undefined;
        if (isAsked) return;
        clearTimeout(timer);
        void runRound();
      };
      async function runRound(): Promise<void> {
        timer = undefined;
        try {
          await run(() => isOpen);
        } catch (error) {
          log('error', failure, { reason: describeError(error) });
        }
        if (isOpen) timer = setTimeout(runRound, isAsked ? 0 : everyMs).unref();
        isAsked = false;
      }
      void runRound();
      return {
        wake() {},
        async stop() {
          isOpen = false;
          look = () => {};
          clearTimeout(timer);
        },
      };
    },
    runOnce: run,
  };
}
