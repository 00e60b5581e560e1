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
} from 'early-access-server/stores';
import { type DocumentSnapshot, FieldValue, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { ABORTED, hasStatus, type Transaction, transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';

/** Stores the buckets in Firestore, because instances of a function share no memory. */
export function firestoreRateLimiter<Name extends string>(
  firestore: Firestore,
  rateLimits: Readonly<Record<Name, RateLimit>>,
  clock: Clock,
): RateLimiter<Name> {
  /** The id is a digest, so the database contains no addresses of callers. */
  const bucketRef = ({ limit, key }: RateLimitUse<Name>) =>
    firestore.collection(COLLECTIONS.throttles).doc(sha256(`${limit}\n${key}`));

  /** Resolves with 0, or with the seconds to wait. */
  function tryToTake(uses: readonly RateLimitUse<Name>[]): Promise<number> {
    const take = async (tx: Transaction) => {
      // Read in one call, which also locks them together: concurrent calls wait in line instead of aborting each other.
      const buckets = await tx.getAll(...uses.map(bucketRef));
      const parts = uses.map((use, index) => {
        const limit = scaled(rateLimits[use.limit], use.factor ?? 1);
        return { ref: bucketRef(use), limit, cost: use.cost, bucket: readBucket(buckets[index]) };
      });
      const { seconds, left } = takeTokens(parts, clock());
      for (const { ref, bucket, limit } of seconds > 0 ? [] : left) {
        // A TTL policy deletes buckets that are full again.
        tx.set(ref, { ...bucket, expires_at: Timestamp.fromMillis(computeFullTime(bucket, limit)) });
      }
      return seconds;
    };
    return transact(firestore, take, { maxAttempts: 5 });
  }

  return withStorageErrors({
    async take(uses) {
      const seconds = await tryToTake(uses).catch((error) => {
        // Calls that conflict this often exceed any limit.
        if (hasStatus(error, ABORTED)) return 1;
        throw error;
      });
      if (seconds > 0) throw new StorageError('rate-limited', 'too many requests', { retryAfter: seconds });
    },
    async giveBack(uses) {
      const batch = firestore.batch();
      for (const use of uses) batch.update(bucketRef(use), { tokens: FieldValue.increment(use.cost ?? 1) });
      await batch.commit();
    },
  });
}

function readBucket(snapshot: DocumentSnapshot | undefined): Bucket | null {
  const [tokens, at]: unknown[] = [snapshot?.get('tokens'), snapshot?.get('at')];
  return typeof tokens === 'number' && typeof at === 'number' ? { tokens, at } : null;
}
