import { isStorageError } from 'early-access-kit/core';
import { ConfigError, type Log } from 'early-access-server/app';
import { type LogSeverity, write } from 'firebase-functions/logger';

const SEVERITY = { info: 'INFO', warn: 'WARNING', error: 'ERROR' } as const satisfies Record<string, LogSeverity>;

/** Structured lines for Cloud Logging: the event is the message, and its fields can be searched. */
export const cloudLog: Log = (level, event, fields) => {
  write({ ...fields, severity: SEVERITY[level], message: event });
};

/**
 * Why something failed, for the log: which setting to fix, or the class and the code of an error. Its message is left out, because
 * Firestore's messages name documents, and those of signups are named after their addresses.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ConfigError || isStorageError(error)) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name} ${error.code}` : error.name;
}

/** What `read` returns, or `fallback` does if a setting cannot be used, for what can do without it. */
export function usable<T>(log: Log, read: () => T, fallback: () => T): T {
  try {
    return read();
  } catch (error) {
    log('error', 'setting-unusable', { reason: reasonOf(error) });
    return fallback();
  }
}

/** Rejects as `work` does, but with the reason only: the runtime logs the whole error of a function. */
export async function withReasonOnly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(reasonOf(error));
  }
}
