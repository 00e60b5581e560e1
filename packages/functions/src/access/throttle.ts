import { createHash } from 'node:crypto';
import type { Clock } from '@early-access-kit/backend';
import { type Bucket, fullAt, refilled, secondsUntilToken } from '@early-access-kit/backend';
import { StorageError } from 'early-access-kit/core';
import { type DocumentSnapshot, FieldValue, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { ABORTED, hasStatus } from '../grpc-status.ts';
import type { Budgets } from './budgets.ts';

/** One of the budgets, for one key: a caller, an address, or everybody. */
export interface Use {
  readonly budget: keyof Budgets;
  readonly key: string;
}

/** Token buckets in the store, because every instance of a function has a memory of its own. */
export interface Throttle {
  /** Takes a token from each bucket, or none and rejects with `rate-limited` and the seconds to wait where one of them is empty. */
  take(uses: readonly Use[]): Promise<void>;
  /** Puts back what was taken. */
  giveBack(uses: readonly Use[]): Promise<void>;
}

export function throttle(firestore: Firestore, budgets: Budgets, clock: Clock): Throttle {
  /** Named by a digest, so that the store holds no addresses of callers. */
  const refOf = ({ budget, key }: Use) =>
    firestore.collection(COLLECTIONS.throttles).doc(createHash('sha256').update(`${budget}\n${key}`).digest('hex'));

  /** Answers 0, or the seconds to wait. */
  function tryToTake(uses: readonly Use[]): Promise<number> {
    return firestore.runTransaction(async (transaction) => {
      const now = clock();
      const buckets = await Promise.all(
        uses.map(async (use) => {
          const [ref, budget] = [refOf(use), budgets[use.budget]];
          return { ref, budget, bucket: refilled(bucketOf(await transaction.get(ref)), budget, now) };
        }),
      );
      const seconds = Math.max(...buckets.map(({ bucket, budget }) => secondsUntilToken(bucket, budget)));
      if (seconds > 0) return seconds;
      for (const { ref, bucket, budget } of buckets) {
        const rest: Bucket = { ...bucket, tokens: bucket.tokens - 1 };
        // A TTL policy deletes what is as good as a bucket that nobody has used.
        transaction.set(ref, { ...rest, expires_at: Timestamp.fromMillis(fullAt(rest, budget)) });
      }
      return 0;
    });
  }

  return {
    async take(uses) {
      const seconds = await tryToTake(uses).catch((error) => {
        // So many at the same moment that they hold each other up are too many.
        if (hasStatus(error, ABORTED)) return 1;
        throw error;
      });
      if (seconds > 0) throw new StorageError('rate-limited', 'too many calls', { retryAfter: seconds });
    },
    async giveBack(uses) {
      const batch = firestore.batch();
      for (const use of uses) batch.update(refOf(use), { tokens: FieldValue.increment(1) });
      await batch.commit();
    },
  };
}

function bucketOf(snapshot: DocumentSnapshot): Bucket | null {
  const [tokens, at]: unknown[] = [snapshot.get('tokens'), snapshot.get('at')];
  return typeof tokens === 'number' && typeof at === 'number' ? { tokens, at } : null;
}
