import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in a write transaction and returns once it is on disk. If it throws, nothing is stored. IMMEDIATE
 * acquires the write lock first, so that data read by `work` cannot change, and waits while the file is busy.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // After some failures, such as a full disk, SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Reads a consistent state of the database while other processes write. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}
