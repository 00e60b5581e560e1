import type { Store } from '../stores/sqlite/store.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { reasonOf } from './log.ts';

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;
/** Rows in one transaction, which takes a few milliseconds, and the rest for requests in between. */
const BATCH = 500;
const REST_MS = 50;

export interface RetentionOptions {
  readonly store: Pick<Store, 'prune'>;
  readonly days: number;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Removes all that is older than the retention, in small steps between which `rest` is awaited. Answers how many rows went. */
export async function pruneOld(
  { store, days, clock = Date.now }: RetentionOptions,
  rest: () => Promise<boolean>,
): Promise<number> {
  const oldest = clock() - days * DAY_MS;
  let removed = 0;
  for (;;) {
    const step = await store.prune(oldest, BATCH);
    removed += step;
    if (step === 0 || !(await rest())) return removed;
  }
}

/** Prunes now and every hour, until the returned function is called. */
export function startRetention(options: RetentionOptions): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function rest(): Promise<boolean> {
    return new Promise((resolve) => {
      timer = setTimeout(() => resolve(!stopped), REST_MS).unref();
    });
  }

  async function run(): Promise<void> {
    try {
      const rows = await pruneOld(options, rest);
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
