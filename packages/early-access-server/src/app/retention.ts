import type { Store } from '../stores/store.ts';
import type { Clock } from './clock.ts';
import { type Log, reasonOf } from './log.ts';

export const DEFAULT_RETENTION_DAYS = 395;
const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;
/** Rows per transaction, which takes a few milliseconds. */
const BATCH = 500;
/** Pause between transactions, for requests. */
const PAUSE_MS = 50;

export interface RetentionOptions {
  readonly store: Pick<Store, 'prune'>;
  readonly days: number;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Deletes what is older than the retention, in small steps, until nothing is left or `shouldContinue` resolves with false. Returns the number of rows. */
export async function pruneOld(
  { store, days, clock = Date.now }: RetentionOptions,
  shouldContinue: () => Promise<boolean>,
): Promise<number> {
  const oldest = clock() - days * DAY_MS;
  let removed = 0;
  for (;;) {
    const rows = await store.prune(oldest, BATCH);
    removed += rows;
    if (rows === 0 || !(await shouldContinue())) return removed;
  }
}

/** Deletes old rows now and every hour, until the returned function is called. */
export function startRetention(options: RetentionOptions): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function pause(): Promise<boolean> {
    return new Promise((resolve) => {
      timer = setTimeout(() => resolve(!stopped), PAUSE_MS).unref();
    });
  }

  async function run(): Promise<void> {
    try {
      const rows = await pruneOld(options, pause);
      if (rows > 0) options.log('info', 'pruned', { rows });
    } catch (error) {
      options.log('error', 'prune-failed', { reason: reasonOf(error) });
    }
    if (!stopped) timer = setTimeout(run, INTERVAL_MS).unref();
  }

  void run();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
