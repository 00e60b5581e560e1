import { StorageError } from 'early-access-kit/core';
import type { Clock } from '../ports/clock.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { type Bucket, computeFullTime, type RateLimit, scaled, takeTokens } from './rate-limits.ts';

/** A full bucket is the same as no bucket, so it is deleted. */
interface StoredBucket extends Bucket {
  readonly fullAt: number;
}

/** The buckets of one limit by key, the least recently used first. */
interface BucketMemory {
  readonly buckets: Map<string, StoredBucket>;
  /** If a new bucket exceeds this number, old ones are removed first. Twice the number that was left the last time. */
  sweepAt: number;
}

/** With fewer buckets, removing old ones is not worth the time. */
const FEW_KEYS = 1_024;

/**
 * Stores the buckets that are not full in memory: at most `maxKeys` per limit. If there are more, at least the most
 * recently used half remains.
 */
export function memoryRateLimiter<Name extends string>(
  rateLimits: Readonly<Record<Name, RateLimit>>,
  clock: Clock,
  maxKeys = 100_000,
): RateLimiter<Name> {
  const memories = new Map<Name, BucketMemory>();

  function getMemory(name: Name): BucketMemory {
    const memory = memories.get(name) ?? { buckets: new Map(), sweepAt: Math.min(maxKeys, FEW_KEYS) };
    memories.set(name, memory);
    return memory;
  }

  function save(memory: BucketMemory, key: string, bucket: StoredBucket): void {
    const { buckets } = memory;
    if (buckets.size >= memory.sweepAt && !buckets.has(key)) {
      for (const [other, { fullAt }] of buckets) if (fullAt <= bucket.at) buckets.delete(other);
      const tooMany = [...buckets.keys()].slice(0, Math.max(0, buckets.size - maxKeys / 2));
      for (const other of tooMany) buckets.delete(other);
      memory.sweepAt = Math.min(maxKeys, Math.max(FEW_KEYS, 2 * buckets.size));
    }
    // Moves the bucket to the end, as the most recently used one.
    buckets.delete(key);
    buckets.set(key, bucket);
  }

  return {
    async take(uses) {
      const parts = uses.map(({ limit: name, key, factor = 1, cost }) => ({
        memory: getMemory(name),
        key,
        bucket: getMemory(name).buckets.get(key) ?? null,
        limit: scaled(rateLimits[name], factor),
        cost,
      }));
      const { seconds, left } = takeTokens(parts, clock());
      // Saved even if nothing was taken, so that clients that keep calling are removed after clients that do not.
      for (const { memory, key, bucket, limit } of left) {
        save(memory, key, { ...bucket, fullAt: computeFullTime(bucket, limit) });
      }
      if (seconds > 0) throw new StorageError('rate-limited', 'too many requests', { retryAfter: seconds });
    },
    async giveBack(uses) {
      for (const { limit, key, cost = 1 } of uses) {
        const { buckets } = getMemory(limit);
        const bucket = buckets.get(key);
        if (bucket) buckets.set(key, { ...bucket, tokens: bucket.tokens + cost });
      }
    },
  };
}
