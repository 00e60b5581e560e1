import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in one write transaction and returns once it is on disk. If anything throws, nothing of it is stored.
 * IMMEDIATE takes the write lock first, so what `work` reads cannot change meanwhile, and a busy file is waited for.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // After some failures, such as a full disk, SQLite has rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Runs reads on one state of the database while other processes write. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}
