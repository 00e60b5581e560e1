import { setImmediate } from 'node:timers/promises';

/** How long a job may keep requests waiting. */
export const SLICE_MS = 1;

/**
 * Passes the items on, and lets the event loop turn whenever `SLICE_MS` have passed since the last turn. Without it,
 * work on items that are there already blocks every request to its end, because promises and streams alone never let
 * the loop turn.
 */
export async function* inSlices<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void, void> {
  let until = performance.now() + SLICE_MS;
  for await (const item of items) {
    yield item;
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + SLICE_MS;
  }
}
