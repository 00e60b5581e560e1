/**
 * Why a store call failed:
 * - `forbidden`: the trusted side denied it; retrying does not help;
 * - `invalid`: the data breaks a rule; retrying does not help;
 * - `rate-limited`: too many calls; retry after `retryAfter` seconds;
 * - `unavailable`: the store could not be reached or did not respond in time, so it may or may not have acted.
 */
export type StorageErrorCode = 'forbidden' | 'invalid' | 'rate-limited' | 'unavailable';

/**
 * The only error that adapters reject with.
 *
 * @example
 * throw new StorageError('invalid', 'the address is on a block list', { visitorText: 'Use another address.' });
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  declare readonly code: StorageErrorCode;
  /** Seconds to wait before retrying, if the store sent them. */
  declare readonly retryAfter: number | undefined;
  /**
   * The text that the form shows if the visitor can correct the problem, in their language. Default: the form's own.
   */
  declare readonly visitorText: string | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { retryAfter?: number | undefined; visitorText?: string | undefined; cause?: unknown } = {},
  ) {
    super(`early-access-kit: ${message}`, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.visitorText = options.visitorText;
  }
}

/**
 * Returns whether an error is a `StorageError`. Checks its shape, so that it also recognizes errors from another copy
 * of the package.
 *
 * @example
 * if (isStorageError(error) && error.code === 'rate-limited') wait(error.retryAfter);
 */
export function isStorageError(error: unknown): error is StorageError {
  return error instanceof Error && error.name === 'StorageError' && 'code' in error;
}

/**
 * Retries a failed call once if the error is `unavailable`: the store may have acted and only the response was lost.
 * Only for idempotent calls.
 */
export function retryOnce<T>(call: () => Promise<T>): Promise<T> {
  return call().catch((error: unknown) => {
    if (isStorageError(error) && error.code === 'unavailable') return call();
    throw error;
  });
}
