import { isStorageError, StorageError } from '../../core/errors.ts';
import { codeOfStatus } from '../../core/protocol.ts';

/** The failure that an answer other than 2xx stands for. Its body is Google's error as JSON, or some proxy's page. */
export function toFailure({ status, headers }: Response, body: string): StorageError {
  // A missing function and contention are no fault of the data.
  const passing = status === 404 || status === 409;
  return new StorageError(passing ? 'unavailable' : codeOfStatus(status), `${status} ${body.slice(0, 300)}`, {
    retryAfter: Number(headers.get('Retry-After')) || undefined,
  });
}

/** Throws what is wrong with the data. */
export type Check = (validation: typeof import('./refusal-checks.ts')) => void;

/**
 * The failure for what the rules refuse. They do not say why, so the same checks are loaded and made here: `invalid` where
 * one of them fails. Pages that send valid data never load them.
 */
export async function toRefusal(check: Check): Promise<StorageError> {
  try {
    check(await import('./refusal-checks.ts'));
  } catch (error) {
    // The checks come with a StorageError class of their own.
    if (isStorageError(error)) return new StorageError(error.code, error.message.replace(/^early-access-kit: /, ''));
  }
  return new StorageError('forbidden', 'check firestore.rules, App Check and the API key');
}
