import { isStorageError } from 'early-access-kit/core';
import type { RateLimiter } from '../ports/rate-limiter.ts';

/** Counts rejected calls in `hits`, under the first limit that the call uses. */
export function countingLimiter<Name extends string>(
  limiter: RateLimiter<Name>,
  hits: Map<Name, number>,
): RateLimiter<Name> {
  return {
    async take(uses) {
      try {
        await limiter.take(uses);
      } catch (error) {
        const name = uses[0]?.limit;
        if (name !== undefined && isStorageError(error) && error.code === 'rate-limited') {
          hits.set(name, (hits.get(name) ?? 0) + 1);
        }
        throw error;
      }
    },
    giveBack: (uses) => limiter.giveBack(uses),
  };
}
