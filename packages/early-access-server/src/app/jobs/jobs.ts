import type { Clock } from '../ports/clock.ts';
import { describeError, type Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

/** Work besides requests: all the time in a process that runs for long, or one round at a time for a cron job. */
export interface Job {
  start(): RunningJob;
  /** Does what is due now. Begins nothing new once `mayBegin` returns false. Rejects if the store fails. */
  runOnce(mayBegin: () => boolean): Promise<void>;
}

export interface RunningJob {
  /** Looks for work now. */
  wake(): void;
  /** Begins nothing more, and waits at most `withinMs` for work in progress. */
  stop(withinMs: number): Promise<void>;
}

export interface JobContext {
  readonly store: Store;
  /** The normalised addresses of everyone who may use the dashboard. */
  readonly team: () => Promise<readonly string[]>;
  /** Those of them who are admins. */
  readonly admins: () => Promise<readonly string[]>;
  /** Called after emails were queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** Runs all, one after another, also if some fail. Rejects with the first failure. */
export async function runEach(works: Iterable<() => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Returns a function that returns true for `withinMs` milliseconds. */
export function createTimeLimit(withinMs: number, clock: Clock): () => boolean {
  const start = clock();
  return () => clock() - start <= withinMs;
}

interface RepeatedJobOptions {
  readonly everyMs: number;
  readonly log: Log;
  /** The event that a failure is logged as. The next turn tries again. */
  readonly failure: string;
  readonly run: (mayBegin: () => boolean) => Promise<void>;
}

/** A job that can be made to look for work before its next turn, if it was started. */
export interface RepeatedJob extends Job {
  look(): void;
}

/** A job that looks for work at the start, and again `everyMs` milliseconds after each turn. */
export function repeatedJob({ everyMs, log, failure, run }: RepeatedJobOptions): RepeatedJob {
  let look = () => {};
  return {
    look: () => look(),
    start() {
      let isOpen = true;
      let timer: NodeJS.Timeout | undefined;
      let isAsked = false;
      look = () => {
        // While it is at work there is no timer.
        isAsked = timer === undefined;
        if (isAsked) return;
        clearTimeout(timer);
        void turn();
      };
      async function turn(): Promise<void> {
        timer = undefined;
        try {
          await run(() => isOpen);
        } catch (error) {
          log('error', failure, { reason: describeError(error) });
        }
        if (isOpen) timer = setTimeout(turn, isAsked ? 0 : everyMs).unref();
        isAsked = false;
      }
      void turn();
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
