import { type Log, reasonOf } from '../../app/ports.ts';

/** Rows per transaction, which takes at most some 20 ms. Requests wait that long. */
const BATCH = 250;
/** Pause between transactions, for requests. */
const PAUSE_MS = 20;
/** How often to look for new addresses, and for rows that an earlier release, running on the same file, has stored. */
const LOOK_AGAIN_MS = 60_000;

export interface BackfillOptions {
  /** Counts at most so many rows in a transaction. Returns how many. */
  countSome(limit: number): Promise<number>;
  /** Adds at most so many addresses to the index that searches use. Returns how many. */
  addToSearch(limit: number): Promise<number>;
  readonly log: Log;
}

/**
 * Counts the rows that are not counted yet and adds addresses to the index of searches, in small steps while the store is in use. A step
 * that was not committed is made again, so the next start goes on where this one ended. Returns a function that stops it.
 */
export function startBackfill({ countSome, addToSearch, log }: BackfillOptions): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let rows = 0;

  async function step(): Promise<void> {
    let done = 0;
    try {
      const counted = await countSome(BATCH);
      if (rows === 0 && counted === BATCH) log('info', 'analytics-counting', {});
      rows += counted;
      if (counted === 0 && rows >= BATCH) log('info', 'analytics-counted', { rows });
      if (counted === 0) rows = 0;
      done = counted || (await addToSearch(BATCH));
    } catch (error) {
      rows = 0;
      log('warn', 'backfill-failed', { reason: reasonOf(error) });
    }
    schedule(done === 0 ? LOOK_AGAIN_MS : PAUSE_MS);
  }

  function schedule(ms: number): void {
    if (!stopped) timer = setTimeout(step, ms).unref();
  }

  schedule(0);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
