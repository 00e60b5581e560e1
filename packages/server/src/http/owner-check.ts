import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@early-access-kit/backend';
import { normalizeEmail } from 'early-access-kit/core';
import type { Budgets } from './budgets.ts';
import { Failure } from './failure.ts';
import { rejectIfWaiting } from './gate.ts';
import { throttle } from './throttle.ts';

export interface OwnerCheckOptions {
  /** Null: nobody may read the numbers. */
  readonly adminEmail: string | null;
  readonly budgets: Pick<Budgets, 'wrongOwners' | 'allWrongOwners'>;
  readonly clock: Clock;
}

const EVERYBODY = 'all';

/**
 * Makes the check that lets the configured owner pass and throws a `Failure` for all others. Digests of equal length are compared
 * in constant time. Wrong tries run out, by client and over all, and then the right address waits too: otherwise guessing would go on.
 */
export function ownerCheck({
  adminEmail,
  budgets,
  clock,
}: OwnerCheckOptions): (given: unknown, client: string) => void {
  const owner = adminEmail === null ? null : digest(adminEmail);
  const byClient = throttle(budgets.wrongOwners, clock);
  const byAll = throttle(budgets.allWrongOwners, clock);
  return (given, client) => {
    if (typeof given !== 'string') throw new Failure(400, 'invalid', 'admin_email must be text');
    rejectIfWaiting(Math.max(byClient.waitFor(client), byAll.waitFor(EVERYBODY)));
    if (owner !== null && timingSafeEqual(owner, digest(given))) return;
    byClient.take(client);
    byAll.take(EVERYBODY);
    throw new Failure(403, 'forbidden', 'this address may not read the numbers');
  };
}

function digest(email: string): Buffer {
  return createHash('sha256').update(normalizeEmail(email)).digest();
}
