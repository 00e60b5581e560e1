import { describeError, type Log } from '../ports/log.ts';

export type Background = ReturnType<typeof background>;

/** Work that continues after a response was sent. */
export function background(log: Log) {
  const inProgress = new Set<Promise<void>>();
  const waiting = new Set<() => void>();
  return {
    /** Starts the work after `delayMs`, and not before the next turn of the event loop. Failures are logged. */
    run(event: string, work: () => Promise<void>, delayMs = 0): void {
      const delay = Promise.withResolvers<void>();
      function begin() {
        clearTimeout(timer);
        waiting.delete(begin);
        delay.resolve();
      }
      const timer = setTimeout(begin, delayMs);
      waiting.add(begin);
      const done = delay.promise
        .then(work)
        .catch((error) => log('error', event, { reason: describeError(error) }))
        .finally(() => inProgress.delete(done));
      inProgress.add(done);
    },
    /** Starts delayed work at once, and resolves when all work has finished, or after `withinMs`. */
    settled(withinMs: number): Promise<void> {
      for (const begin of waiting) begin();
      return within(withinMs, Promise.all(inProgress));
    },
  };
}

export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, ms);
  await Promise.race([work, timeout.promise]);
  clearTimeout(timer);
}

/** Resolves after `ms` milliseconds. The timer does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
