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

/** The parts of the application that its jobs use. */
export interface JobContext {
  readonly store: Store;
  /** Normalised. */
  readonly admins: readonly string[];
  /** Called after emails were queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
  readonly clock: Clock;
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

/** A job that looks for work at the start, and again `everyMs` milliseconds after each turn. */
export function repeatedJob({ everyMs, log, failure, run }: RepeatedJobOptions): Job {
  return {
    start() {
      let isOpen = true;
      let timer: NodeJS.Timeout | undefined;
      async function turn(): Promise<void> {
        try {
          await run(() => isOpen);
        } catch (error) {
          log('error', failure, { reason: describeError(error) });
        }
        if (isOpen) timer = setTimeout(turn, everyMs).unref();
      }
      void turn();
      return {
        wake() {},
        async stop() {
          isOpen = false;
          clearTimeout(timer);
        },
      };
    },
    runOnce: run,
  };
}
