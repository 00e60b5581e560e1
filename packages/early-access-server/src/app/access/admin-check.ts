import { MAX_RAW_EMAIL_LENGTH, normalizeEmail, StorageError } from 'early-access-kit/core';
import { isSameSecret } from '../sha256.ts';
import type { ClientNetwork } from './client-networks.ts';
import { type RateLimiter, usesOf } from './rate-limits.ts';

/** One address, several separated by commas, or a list. Null: there is no admin. */
export type AdminEmail = string | readonly string[] | null;

export interface AdminCheck {
  /** The address that the caller sent. */
  readonly given: unknown;
  /** The configured addresses. Null: no one may read the summary. */
  readonly adminEmail: AdminEmail;
  readonly limiter: RateLimiter<'wrongAdmins' | 'allWrongAdmins'>;
  readonly client: readonly ClientNetwork[];
}

/**
 * Resolves for an admin's address and rejects with a `StorageError` for every other. Compares digests of equal length in
 * constant time. Each attempt takes its tokens before the comparison, so simultaneous attempts count; the admin gets them back.
 * Without tokens the right address waits too, otherwise guessing could continue.
 */
export async function checkAdmin({ given, adminEmail, limiter, client }: AdminCheck): Promise<void> {
  if (typeof given !== 'string' || given.length > MAX_RAW_EMAIL_LENGTH) {
    throw new StorageError('invalid', `the admin's address must be text of at most ${MAX_RAW_EMAIL_LENGTH} characters`);
  }
  const uses = [...usesOf('wrongAdmins', client), { limit: 'allWrongAdmins', key: 'all' } as const];
  await limiter.take(uses);
  if (!isAdmin(normalizeEmail(given), adminsOf(adminEmail))) {
    throw new StorageError('forbidden', 'this address may not read the analytics summary');
  }
  await limiter.giveBack(uses);
}

/** The configured addresses, normalised. */
export function adminsOf(adminEmail: AdminEmail): readonly string[] {
  const addresses = typeof adminEmail === 'string' ? adminEmail.split(',') : (adminEmail ?? []);
  return [...new Set(addresses.map(normalizeEmail).filter((address) => address !== ''))];
}

/** Whether the normalised address is one of the admins'. Compares it with all of them, whichever it is. */
export function isAdmin(email: string, admins: readonly string[]): boolean {
  return admins.map((admin) => isSameSecret(admin, email)).includes(true);
}
