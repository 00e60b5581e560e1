import { closeSync, openSync } from 'node:fs';

/** SQLite's name for a database that exists only in memory and ends with its connection. */
export const IN_MEMORY = ':memory:';

/**
 * Creates an empty file, unless it exists, with access for its owner only regardless of the umask. SQLite treats it as
 * a new database and gives its WAL, shared memory and journal the same mode.
 */
export function createPrivateFile(file: string): void {
  if (file === IN_MEMORY) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
