import { isStorageError, STATUS_OF_CODE, type StorageErrorCode } from 'early-access-kit/core';

/** A refused or failed request. The message is for people who write clients; it never repeats what the client sent. */
export class Failure extends Error {
  readonly status: number;
  readonly code: StorageErrorCode;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: StorageErrorCode,
    message: string,
    options: { retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/** Any failure as one that can be answered: what nobody foresaw is the server's fault and tells nothing of itself. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isStorageError(error)) {
    const { code, retryAfter } = error;
    const message = error.message.replace(/^early-access-kit: /, '');
    return new Failure(STATUS_OF_CODE[code], code, message, { cause: error.cause, ...(retryAfter && { retryAfter }) });
  }
  return new Failure(500, 'unavailable', 'the server failed', { cause: error });
}
