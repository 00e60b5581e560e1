import { type Bucket, type Budget, type Clock, refilled, secondsUntilToken } from '@early-access-kit/backend';

/** A token bucket for each key. */
export interface Throttle {
  /** Takes a token. Answers 0, or the whole seconds after which there is one again. */
  take(key: string): number;
  /** The same answer without taking. */
  waitFor(key: string): number;
}

/** Memory is bounded: of more than `maxKeys` keys the one unused longest is forgotten, which gives it a full bucket. */
export function throttle(budget: Budget, clock: Clock, maxKeys = 50_000): Throttle {
  const buckets = new Map<string, Bucket>();
  const bucketNow = (key: string) => refilled(buckets.get(key) ?? null, budget, clock());

  return {
    take(key) {
      const bucket = bucketNow(key);
      const seconds = secondsUntilToken(bucket, budget);
      // Set anew, so that the map stays in order of use.
      buckets.delete(key);
      buckets.set(key, seconds === 0 ? { ...bucket, tokens: bucket.tokens - 1 } : bucket);
      if (buckets.size > maxKeys) for (const oldest of buckets.keys()) return forget(oldest, seconds);
      return seconds;
    },
    waitFor: (key) => secondsUntilToken(bucketNow(key), budget),
  };

  function forget(key: string, seconds: number): number {
    buckets.delete(key);
    return seconds;
  }
}
