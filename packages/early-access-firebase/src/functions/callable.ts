import { isStorageError, StorageError, type StorageErrorCode } from 'early-access-kit/core';
import type { Log } from 'early-access-server/internal';
import { type CallableRequest, type FunctionsErrorCode, HttpsError, type Request } from 'firebase-functions/v2/https';
import { toReason } from './log.ts';

/** Their HTTP statuses are 403, 400, 429 and 503, which the adapter reads. */
const STATUS_OF: Readonly<Record<StorageErrorCode, FunctionsErrorCode>> = {
  forbidden: 'permission-denied',
  invalid: 'invalid-argument',
  'rate-limited': 'resource-exhausted',
  unavailable: 'unavailable',
};

export interface CallSettings {
  readonly log: Log;
  /**
   * Rejects calls without a valid App Check token. Read per call, because the library would read it during deployment.
   */
  readonly appCheckRequired: () => boolean;
}

/** Functions that are not callable functions have to check App Check tokens themselves. */
export interface Attestation extends Pick<CallSettings, 'appCheckRequired'> {
  /** Rejects if the token is not a valid App Check token. */
  readonly verifyAppCheck: (token: string) => Promise<unknown>;
}

/** Preflights always pass, because browsers send them without the token. */
export async function isAttested(
  request: Request,
  { appCheckRequired, verifyAppCheck }: Attestation,
): Promise<boolean> {
  if (!appCheckRequired() || request.method === 'OPTIONS') return true;
  return verifyAppCheck(request.header('X-Firebase-AppCheck') ?? '').then(
    () => true,
    () => false,
  );
}

/**
 * Responds to a call with the result of `handle`, or with the status of its `StorageError`. Any other failure is
 * `unavailable` for the caller and logged for the admin.
 */
export async function respondToCall<T>(
  request: CallableRequest<unknown>,
  { log, appCheckRequired }: CallSettings,
  handle: (data: unknown) => Promise<T>,
): Promise<T> {
  try {
    if (request.app === undefined && appCheckRequired())
      throw new StorageError('forbidden', 'an App Check token is missing');
    return await handle(request.data);
  } catch (error) {
    if (!isStorageError(error) || error.code === 'unavailable') {
      log('error', 'call-failed', { reason: toReason(error) });
      throw new HttpsError('unavailable', 'not available now');
    }
    if (error.retryAfter !== undefined) {
      request.rawRequest.res?.set({
        'Retry-After': String(error.retryAfter),
        'Access-Control-Expose-Headers': 'Retry-After',
      });
    }
    throw new HttpsError(STATUS_OF[error.code], error.message);
  }
}
