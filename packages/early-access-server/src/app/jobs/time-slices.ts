import { setImmediate } from 'node:timers/promises';

/** How long a job may block requests. */
export const SLICE_MS = 1;

/**
 * Passes the items on, and yields to the event loop every `SLICE_MS`. Promises and streams alone do not yield, so work
 * on items that are already available would block all requests until its end.
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
