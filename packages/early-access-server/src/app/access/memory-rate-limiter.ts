import { StorageError } from 'early-access-kit/core';
import type { Clock } from '../ports/clock.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { type Bucket, computeFullTime, type RateLimit, scaled, takeTokens } from './rate-limits.ts';

/** Stores the buckets that are not full in memory, at most `maxKeys` per limit. */
export function memoryRateLimiter<Name extends string>(
  rateLimits: Readonly<Record<Name, RateLimit>>,
  clock: Clock,
  maxKeys = 100_000,
): RateLimiter<Name> {
  const memory = new Map<Name, BucketMemory>();

  function getBuckets(name: Name): BucketMemory {
    const known = memory.get(name) ?? bucketMemory(maxKeys);
    memory.set(name, known);
    return known;
  }

  return {
    async take(uses) {
      const parts = uses.map(({ limit: name, key, factor = 1 }) => ({
        buckets: getBuckets(name),
        key,
        bucket: getBuckets(name).get(key),
        limit: scaled(rateLimits[name], factor),
      }));
      const now = clock();
      const { seconds, left } = takeTokens(parts, now);
      // Also if nothing was taken: a client that keeps calling must not be forgotten before clients that do not.
      for (const { buckets, key, bucket, limit } of left) {
        buckets.set(key, { ...bucket, fullAt: computeFullTime(bucket, limit) }, now);
      }
      if (seconds > 0) throw new StorageError('rate-limited', 'too many requests', { retryAfter: seconds });
    },
    async giveBack(uses) {
      for (const { limit, key } of uses) {
        const buckets = getBuckets(limit);
        const bucket = buckets.get(key);
        if (bucket) buckets.set(key, { ...bucket, tokens: bucket.tokens + 1 }, clock());
      }
    },
  };
}

/** A bucket that is full again is the same as none, and is forgotten. */
interface StoredBucket extends Bucket {
  readonly fullAt: number;
}

interface BucketMemory {
  get(key: string): StoredBucket | null;
  set(key: string, bucket: StoredBucket, now: number): void;
}

/** A search for full buckets is not worth its time if there are fewer. */
const FEW_KEYS = 1_024;

/**
 * Stores at most `maxKeys` buckets, and at least the most recently used half of them. It never searches for the least recently used
 * one: a Map whose first entries are deleted all the time is slow to find its first entry.
 */
function bucketMemory(maxKeys: number): BucketMemory {
  /** Used since the maps were last swapped, and before that. */
  let recent = new Map<string, StoredBucket>();
  let earlier = new Map<string, StoredBucket>();
  let sweepAt = Math.min(maxKeys / 2, FEW_KEYS);

  /** Looks at no more buckets than were added since the last time, or twice as many. */
  function sweep(now: number): void {
    forgetFull(recent, now);
    if (recent.size < maxKeys / 2) forgetFull(earlier, now);
    else [earlier, recent] = [recent, new Map()];
    sweepAt = Math.min(maxKeys / 2, Math.max(FEW_KEYS, 2 * recent.size, earlier.size));
  }

  return {
    get: (key) => recent.get(key) ?? earlier.get(key) ?? null,
    set(key, bucket, now) {
      if (recent.size >= sweepAt && !recent.has(key)) sweep(now);
      recent.set(key, bucket);
    },
  };
}

function forgetFull(buckets: Map<string, StoredBucket>, now: number): void {
  for (const [key, { fullAt }] of buckets) if (fullAt <= now) buckets.delete(key);
}
