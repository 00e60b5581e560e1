import { isStorageError, MAX_RAW_EMAIL_LENGTH, normalizeEmail, StorageError } from 'early-access-kit/internal';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { ClientNetwork } from './client-networks.ts';
import { listUses } from './rate-limits.ts';
import { isSameSecret } from './secrets.ts';

/** One address, a comma-separated string of addresses, or a list. Null: there is no admin. */
export type AdminEmail = string | readonly string[] | null;

export interface AdminAttempt {
  readonly given: unknown;
  readonly limiter: RateLimiter<'wrongAdmins' | 'allWrongAdmins'>;
  readonly client: readonly ClientNetwork[];
}

/**
 * Calls `read`, which rejects with `forbidden` unless the address is an admin's. Tokens are taken before the check, so
 * that simultaneous attempts count, and given back unless the result is `forbidden`. A client without tokens has to
 * wait even with the right address; otherwise it could continue guessing.
 */
export async function limitWrongAdmins<T>(
  read: (given: string) => Promise<T>,
  { given, limiter, client }: AdminAttempt,
): Promise<T> {
  if (typeof given !== 'string' || given.length > MAX_RAW_EMAIL_LENGTH) {
    throw new StorageError('invalid', `the admin’s address must be text of at most ${MAX_RAW_EMAIL_LENGTH} characters`);
  }
  const uses = [...listUses('wrongAdmins', client), { limit: 'allWrongAdmins', key: 'all' } as const];
  await limiter.take(uses);
  try {
    const result = await read(given);
    await limiter.giveBack(uses);
    return result;
  } catch (error) {
    if (!isStorageError(error) || error.code !== 'forbidden') await limiter.giveBack(uses);
    throw error;
  }
}

/**
 * Throws a `StorageError` with code `forbidden` unless the address is an admin's. Compares digests of equal length in
 * constant time. Use it in adapters for your own database.
 *
 * @example
 * requireAdmin(email, 'admin@example.com');
 */
export function requireAdmin(given: string, adminEmail: AdminEmail): void {
  if (isAdmin(normalizeEmail(given), parseAdmins(adminEmail))) return;
  throw new StorageError('forbidden', 'this address may not read the analytics summary');
}

export function parseAdmins(adminEmail: AdminEmail): readonly string[] {
  const addresses = typeof adminEmail === 'string' ? adminEmail.split(',') : (adminEmail ?? []);
  return [...new Set(addresses.map(normalizeEmail).filter((address) => address !== ''))];
}

/** Returns whether the normalized address is an admin's. Always compares it with all of them, for constant time. */
export function isAdmin(email: string, admins: readonly string[]): boolean {
  return admins.map((admin) => isSameSecret(admin, email)).includes(true);
}
