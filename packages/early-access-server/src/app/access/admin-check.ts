import { createHash, timingSafeEqual } from 'node:crypto';
import { MAX_RAW_EMAIL_LENGTH, normalizeEmail, StorageError } from 'early-access-kit/core';
import type { ClientNetwork } from './client-networks.ts';
import { type RateLimiter, usesOf } from './rate-limits.ts';

export interface AdminCheck {
  /** The address that the caller sent. */
  readonly given: unknown;
  /** The configured address, normalised. Null: no one may read the summary. */
  readonly adminEmail: string | null;
  readonly limiter: RateLimiter<'wrongAdmins' | 'allWrongAdmins'>;
  readonly client: readonly ClientNetwork[];
}

/**
 * Resolves for the configured admin's address and rejects with a `StorageError` for every other. Compares digests of equal length in
 * constant time. Each attempt takes its tokens before the comparison, so simultaneous attempts count; the admin gets them back.
 * Without tokens the right address waits too, otherwise guessing could continue.
 */
export async function checkAdmin({ given, adminEmail, limiter, client }: AdminCheck): Promise<void> {
  if (typeof given !== 'string' || given.length > MAX_RAW_EMAIL_LENGTH) {
    throw new StorageError('invalid', `the admin's address must be text of at most ${MAX_RAW_EMAIL_LENGTH} characters`);
  }
  const uses = [...usesOf('wrongAdmins', client), { limit: 'allWrongAdmins', key: 'all' } as const];
  await limiter.take(uses);
  if (adminEmail === null || !timingSafeEqual(digest(adminEmail), digest(normalizeEmail(given)))) {
    throw new StorageError('forbidden', 'this address may not read the analytics summary');
  }
  await limiter.giveBack(uses);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
