import { type Bucket, type Budget, type Clock, refilled, secondsUntilToken } from '@early-access-kit/backend';

/** A token bucket for each key. */
export interface Throttle {
  /** Takes a token. Answers 0, or the whole seconds after which there is one again. */
  take(key: string): number;
  /** The same answer without taking. */
  waitFor(key: string): number;
}

/**
 * Memory is bounded: at most `maxKeys` keys are remembered, and at least the half of them that was used last. Which key is the one
 * unused longest is never looked for: a Map whose first entries are deleted all the time is slow to find its first one.
 */
export function throttle(budget: Budget, clock: Clock, maxKeys = 100_000): Throttle {
  /** Used since the last turn, and in the time before that. */
  let recent = new Map<string, Bucket>();
  let earlier = new Map<string, Bucket>();
  const bucketNow = (key: string) => refilled(recent.get(key) ?? earlier.get(key) ?? null, budget, clock());

  function keep(key: string, bucket: Bucket): void {
    if (recent.size >= maxKeys / 2 && !recent.has(key)) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(key, bucket);
  }

  return {
    take(key) {
      const bucket = bucketNow(key);
      const seconds = secondsUntilToken(bucket, budget);
      keep(key, seconds === 0 ? { ...bucket, tokens: bucket.tokens - 1 } : bucket);
      return seconds;
    },
    waitFor: (key) => secondsUntilToken(bucketNow(key), budget),
  };
}
