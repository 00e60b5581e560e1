import { isStorageError, StorageError } from 'early-access-kit/core';

/**
 * SQLSTATE classes of failures that no statement is to blame for: connections, resources, a read-only or stopping server, locks, input and
 * output. A failure of the driver has a code that is not a SQLSTATE.
 */
const OUTAGE = /^(08|25|53|55|57|58)[0-9A-Z]{3}$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const CONFLICT = /^(40001|40P01)$/;

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether every other statement would fail now, too. */
export function isOutage(error: unknown): boolean {
  if (isStorageError(error)) return error.code === 'unavailable';
  const code = codeOf(error);
  return code !== null && (OUTAGE.test(code) || !SQLSTATE.test(code));
}

/** Whether two transactions were in each other's way, and this one can simply be repeated. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(codeOf(error) ?? '');
}

export function toStorageError(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  return new StorageError('unavailable', 'the database does not answer', { cause, retryAfter: 1 });
}

/** Rejects with `unavailable` after `ms`, although a write may still succeed: callers repeat it. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new StorageError('unavailable', 'the database does not answer', { retryAfter: 1 }));
  }, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
