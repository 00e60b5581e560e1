import { describeError, type Log } from '../../../app/ports/log.ts';

/** Addresses per transaction. It blocks requests for at most about 20 ms. */
const BATCH = 250;
/** Pause between transactions, in which requests are handled. */
const PAUSE_MS = 20;
/** How often to look for new addresses, including those stored by other processes. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Adds new addresses to the search index in small steps while the store is in use. A step that was not committed is
 * repeated, so the next start continues where this one stopped. `addSome` adds at most `limit` addresses and returns
 * how many. Returns a function that stops the indexing.
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
