import { describeError, type Log } from '../../../app/ports/log.ts';

/** Addresses per transaction, which takes at most some 20 ms. Requests wait that long. */
const BATCH = 250;
/** Pause between transactions, for requests. */
const PAUSE_MS = 20;
/** How often to look for new addresses, including addresses that another process on the same file has stored. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Adds new addresses to the index of searches, in small steps while the store is in use. A step that was not committed
 * is made again, so the next start continues where this one ended. `addSome` adds at most `limit` addresses and returns
 * how many. Returns a function that stops it.
 */
export function startIndexing(addSome: (limit: number) => Promise<number>, log: Log): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function step(): Promise<void> {
    let added = 0;
    try {
      added = await addSome(BATCH);
    } catch (error) {
      log('warn', 'search-indexing-failed', { reason: describeError(error) });
    }
    schedule(added === 0 ? LOOK_AGAIN_MS : PAUSE_MS);
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
