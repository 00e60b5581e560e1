import { isStorageError } from 'early-access-kit/core';
import { ConfigError, type Log } from 'early-access-server/internal';
import { type LogSeverity, write } from 'firebase-functions/logger';
import { nameFailure } from '../firestore/database.ts';

const SEVERITY = { info: 'INFO', warn: 'WARNING', error: 'ERROR' } as const satisfies Record<string, LogSeverity>;

/** Structured log entries for Cloud Logging: the event is the message, and its fields are searchable. */
export const cloudLog: Log = (level, event, fields) => {
  write({ ...fields, severity: SEVERITY[level], message: event });
};

/**
 * Returns the reason of a failure for the log: the setting to fix, or the class and code of an error. Its message is
 * omitted, because Firestore's messages contain document ids, and a signup's id is derived from its address.
 */
export function toReason(error: unknown): string {
  return error instanceof ConfigError || isStorageError(error) ? error.message : nameFailure(error);
}

/** Returns the result of `read`. If a setting is invalid, logs the reason and returns the result of `fallback`. */
export function usable<T>(log: Log, read: () => T, fallback: () => T): T {
  try {
    return read();
  } catch (error) {
    log('error', 'setting-unusable', { reason: toReason(error) });
    return fallback();
  }
}

/** Rejects like `work`, but only with the reason, because the runtime logs the whole error of a function. */
export async function withReasonOnly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(toReason(error));
  }
}
