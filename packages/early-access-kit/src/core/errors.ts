/**
 * What can go wrong with a store, for programs:
 * - `forbidden`: the trusted side refuses it, and would again;
 * - `invalid`: the data breaks a rule, and would again;
 * - `rate-limited`: too many calls, try after `retryAfter` seconds;
 * - `unavailable`: the store could not be reached or did not answer in time, so that it may or may not have acted.
 */
export type StorageErrorCode = 'forbidden' | 'invalid' | 'rate-limited' | 'unavailable';

/** The one failure that adapters reject with. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** Seconds to wait before another try makes sense, where the store said so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(`early-access-kit: ${message}`, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/** Tells a `StorageError` by its shape, so that two copies of the package in one page understand each other. */
export function isStorageError(error: unknown): error is StorageError {
  return error instanceof Error && error.name === 'StorageError' && 'code' in error;
}
