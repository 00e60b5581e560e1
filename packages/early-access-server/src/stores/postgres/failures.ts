import { isStorageError, StorageError } from 'early-access-kit/core';
import { NO_ANSWER } from '../../app/ports/store.ts';

/**
 * SQLSTATE classes of failures that are not caused by a statement: connections, sign-in, missing databases, a read-only
 * or stopping server, resources, locks, input and output.
 */
const OUTAGE = /^(08|25|28|3D|53|55|57|58)/;
/** Two transactions conflicted, so this one can simply be repeated. */
const CONFLICTS: readonly string[] = ['40001', '40P01'];

/**
 * The SQLSTATE of an error returned by the server. Does not check for the error class of `pg`, because other pools have
 * their own.
 */
export function readSqlState(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

export function isOutageCode(code: string): boolean {
  return OUTAGE.test(code);
}

/** Returns whether all other statements would fail now as well. */
export function isOutage(error: unknown): boolean {
  return isStorageError(error) && error.code === 'unavailable';
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.includes(readSqlState(error) ?? '');
}

export function unavailable(cause?: unknown): StorageError {
  return new StorageError('unavailable', NO_ANSWER, { cause: explainEncryption(cause), retryAfter: 1 });
}

/**
 * How to change the URL if client and server disagree about encryption, by the error message of Node, `pg` or server.
 */
const ENCRYPTION: readonly { readonly said: RegExp; readonly fix: string }[] = [
  {
    said: /certificate|altnames/i,
    fix: 'add sslrootcert=ca.pem to DATABASE_URL, the file of its authority; sslmode=require&uselibpqcompat=true encrypts without a check',
  },
  { said: /does not support SSL/i, fix: 'remove sslmode from DATABASE_URL, or set sslmode=disable' },
  { said: /no encryption|SSL off/i, fix: 'add sslmode=require to DATABASE_URL' },
];

/** Returns the error, with the required setting if it is about encryption. */
function explainEncryption(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const fix = ENCRYPTION.find(({ said }) => said.test(cause.message))?.fix;
  return fix === undefined ? cause : new Error(`${cause.message}; ${fix}`);
}

/** Returns whether the error is a violated foreign key or unique constraint. */
export function isIntegrityViolation(error: unknown): boolean {
  return /^23/.test(readSqlState(error) ?? '');
}

export function toStorageError(error: unknown): StorageError {
  return isStorageError(error) ? error : unavailable(error);
}

/** Rejects with `unavailable` after `ms`. A write may still succeed later, so callers must be able to repeat it. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
