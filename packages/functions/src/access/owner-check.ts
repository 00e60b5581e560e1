import { createHash, timingSafeEqual } from 'node:crypto';
import { MAX_LENGTH, normalizeEmail, StorageError } from 'early-access-kit/core';
import type { Throttle, Use } from './throttle.ts';

/**
 * Lets the configured owner pass and rejects for all others. Digests of equal length are compared in constant time.
 * EVERY try takes its token before it is compared, so that tries at the same moment are counted too; the owner gets his back.
 * With the tokens of wrong tries used up the right address waits as well: otherwise guessing would go on.
 */
export async function checkOwner(
  given: unknown,
  adminEmail: string | null,
  throttle: Throttle,
  caller: string,
): Promise<void> {
  if (typeof given !== 'string' || given.length > MAX_LENGTH.email) {
    throw new StorageError('invalid', `adminEmail must be text of at most ${MAX_LENGTH.email} characters`);
  }
  const uses: readonly Use[] = [
    { budget: 'wrongOwners', key: caller },
    { budget: 'allWrongOwners', key: 'all' },
  ];
  await throttle.take(uses);
  if (adminEmail === null || !timingSafeEqual(digest(adminEmail), digest(normalizeEmail(given)))) {
    throw new StorageError('forbidden', 'this address may not read the numbers');
  }
  await throttle.giveBack(uses);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
