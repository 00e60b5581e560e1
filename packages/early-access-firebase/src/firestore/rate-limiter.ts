import { randomInt } from 'node:crypto';
import { StorageError } from 'early-access-kit/core';
import {
  type Bucket,
  type Clock,
  computeFullTime,
  type RateLimit,
  type RateLimiter,
  type RateLimitUse,
  scaled,
  sha256,
  takeTokens,
} from 'early-access-server/internal';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  Timestamp,
} from 'firebase-admin/firestore';
import { ABORTED, hasStatus, type Transaction, transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { countShards, shardRefs } from './shards.ts';

/** The documents of a bucket, and the limit of each one. */
interface ShardedBucket {
  readonly shards: readonly DocumentReference[];
  readonly limit: RateLimit;
}

/** A document of a bucket. */
interface BucketShard {
  readonly ref: DocumentReference;
  readonly limit: RateLimit;
  readonly cost: number | undefined;
}

/**
 * Stores the buckets in Firestore, because instances of a function share no memory. A bucket for more than one write
 * per second is split into several documents with a part of the limit each: a use takes tokens from any of them that
 * has enough, or from the fullest one.
 */
export function firestoreRateLimiter<Name extends string>(
  firestore: Firestore,
  rateLimits: Readonly<Record<Name, RateLimit>>,
  clock: Clock,
): RateLimiter<Name> {
  /** The document from which each use has taken its tokens. */
  const taken = new WeakMap<RateLimitUse<Name>, DocumentReference>();

  function bucketOf({ limit: name, key, factor = 1 }: RateLimitUse<Name>): ShardedBucket {
    const whole = scaled(rateLimits[name], factor);
    const count = countShards(Math.max(whole.burst, whole.perMinute) / 60);
    // The id is a hash, so the database contains no addresses of callers.
    const shards = shardRefs(firestore.collection(COLLECTIONS.throttles), sha256(`${name}\n${key}`), count);
    return { shards, limit: scaled(whole, 1 / count) };
  }

  async function findFullest({ shards, limit }: ShardedBucket): Promise<DocumentReference | undefined> {
    const stored = (await firestore.getAll(...shards)).map((snapshot) => ({ bucket: readBucket(snapshot), limit }));
    const tokens = takeTokens(stored, clock()).left.map(({ bucket }) => bucket.tokens);
    return shards[tokens.indexOf(Math.max(...tokens))];
  }

  async function takeFromAny(uses: readonly RateLimitUse<Name>[]): Promise<number> {
    const buckets = uses.map((use) => ({ ...bucketOf(use), use }));
    const takeFrom = (refs: readonly (DocumentReference | undefined)[]) => {
      const parts = buckets.flatMap(({ use, limit }, index) => {
        const ref = refs[index];
        if (ref === undefined) return [];
        taken.set(use, ref);
        return { ref, limit, cost: use.cost };
      });
      return tryToTake(firestore, parts, clock);
    };
    const seconds = await takeFrom(buckets.map(({ shards }) => shards[randomInt(shards.length)]));
    if (seconds === 0 || buckets.every(({ shards }) => shards.length === 1)) return seconds;
    return takeFrom(await Promise.all(buckets.map(findFullest)));
  }

  return withStorageErrors({
    async take(uses) {
      const seconds = await takeFromAny(uses).catch((error) => {
        // Calls that conflict this often exceed any limit.
        if (hasStatus(error, ABORTED)) return 1;
        throw error;
      });
      if (seconds > 0) throw new StorageError('rate-limited', 'too many requests', { retryAfter: seconds });
    },
    async giveBack(uses) {
      const batch = firestore.batch();
      for (const use of uses) {
        const ref = taken.get(use) ?? bucketOf(use).shards[0];
        if (ref) batch.update(ref, { tokens: FieldValue.increment(use.cost ?? 1) });
      }
      await batch.commit();
    },
  });
}

/** Returns 0, or the seconds to wait. */
function tryToTake(firestore: Firestore, shards: readonly BucketShard[], clock: Clock): Promise<number> {
  const take = async (tx: Transaction) => {
    // Read in one call, which locks them together: concurrent calls wait in line instead of aborting each other.
    const buckets = await tx.getAll(...shards.map(({ ref }) => ref));
    const parts = shards.map((shard, index) => ({ ...shard, bucket: readBucket(buckets[index]) }));
    const { seconds, left } = takeTokens(parts, clock());
    for (const { ref, bucket, limit } of seconds > 0 ? [] : left) {
      // A TTL policy deletes buckets that are full again.
      tx.set(ref, { ...bucket, expires_at: Timestamp.fromMillis(computeFullTime(bucket, limit)) });
    }
    return seconds;
  };
  return transact(firestore, take, { maxAttempts: 5 });
}

function readBucket(snapshot: DocumentSnapshot | undefined): Bucket | null {
  const [tokens, at]: unknown[] = [snapshot?.get('tokens'), snapshot?.get('at')];
  return typeof tokens === 'number' && typeof at === 'number' ? { tokens, at } : null;
}
