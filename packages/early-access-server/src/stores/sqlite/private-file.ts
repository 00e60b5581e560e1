import { closeSync, openSync } from 'node:fs';

/** SQLite's name for a database that is never written to a disk and ends with its connection. */
export const IN_MEMORY = ':memory:';

/**
 * Creates an empty file that only its own user can read, with any umask, if it is missing. To SQLite it is a new
 * database, whose WAL, shared memory and journal get the same mode.
 */
export function createPrivateFile(file: string): void {
  if (file === IN_MEMORY) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
