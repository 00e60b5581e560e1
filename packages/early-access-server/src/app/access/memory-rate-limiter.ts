import { StorageError } from 'early-access-kit/core';
import type { Clock } from '../clock.ts';
import { type Bucket, type RateLimit, type RateLimiter, scaled, takeTokens } from './rate-limits.ts';

/** Stores the buckets in memory, at most `maxKeys` per limit. */
export function memoryRateLimiter<Name extends string>(
  rateLimits: Readonly<Record<Name, RateLimit>>,
  clock: Clock,
  maxKeys = 100_000,
): RateLimiter<Name> {
  const memory = new Map<Name, BucketMemory>();

  function bucketsOf(name: Name): BucketMemory {
    const known = memory.get(name) ?? bucketMemory(maxKeys);
    memory.set(name, known);
    return known;
  }

  return {
    async take(uses) {
      const parts = uses.map(({ limit: name, key, factor = 1 }) => ({
        buckets: bucketsOf(name),
        key,
        bucket: bucketsOf(name).get(key),
        limit: scaled(rateLimits[name], factor),
      }));
      const { seconds, left } = takeTokens(parts, clock());
      // Also if nothing was taken: a client that keeps calling must not be forgotten before those that do not.
      for (const { buckets, key, bucket } of left) buckets.set(key, bucket);
      if (seconds > 0) throw new StorageError('rate-limited', 'too many requests', { retryAfter: seconds });
    },
    async giveBack(uses) {
      for (const { limit, key } of uses) {
        const buckets = bucketsOf(limit);
        const bucket = buckets.get(key);
        if (bucket) buckets.set(key, { ...bucket, tokens: bucket.tokens + 1 });
      }
    },
  };
}

interface BucketMemory {
  get(key: string): Bucket | null;
  set(key: string, bucket: Bucket): void;
}

/**
 * Stores at most `maxKeys` buckets, and at least the most recently used half of them. It never searches for the least recently used
 * one: a Map whose first entries are deleted all the time is slow to find its first entry.
 */
function bucketMemory(maxKeys: number): BucketMemory {
  /** Used since the maps were last swapped, and before that. */
  let recent = new Map<string, Bucket>();
  let earlier = new Map<string, Bucket>();
  return {
    get: (key) => recent.get(key) ?? earlier.get(key) ?? null,
    set(key, bucket) {
      if (recent.size >= maxKeys / 2 && !recent.has(key)) {
        earlier = recent;
        recent = new Map();
      }
      recent.set(key, bucket);
    },
  };
}
