import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in one write transaction and answers once it is on the disk. Where anything throws, nothing of it is kept.
 * IMMEDIATE takes the write lock first, so that what `work` reads cannot change under it, and a busy file is waited for.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some failures, a full disk for one.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Runs reads that have to agree with each other, whatever other processes write meanwhile. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}
