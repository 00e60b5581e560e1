import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '../../app/create-folder.ts';
import { createPrivateFile } from './private-file.ts';
import { migrate, requireUsableSchema } from './schema.ts';

/** How long a statement waits for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

const SQLITE_BUSY = 5;

/**
 * Opens the database and creates it if it is missing, readable by its own user only. A commit returns only after its
 * data is on disk (synchronous = FULL). Readers and the one writer do not wait for each other (WAL). Deleted data is
 * overwritten (secure_delete). Throws an `Error` whose message says what is wrong with the file.
 */
export function openDatabase(file: string): DatabaseSync {
  createFolder(dirname(file));
  createPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    // Before anything is changed.
    requireUsableSchema(db);
    switchToWal(db);
    // Checkpoints are made in a thread (checkpoints.ts). SQLite's own, which block the writer, only run if that thread
    // falls behind.
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -32000;
      PRAGMA wal_autocheckpoint = 16000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA secure_delete = ON;
    `);
    migrate(db);
    // SQLite opens a read-only file without an error and refuses each write later, so write once now.
    db.exec('BEGIN IMMEDIATE; UPDATE totals SET signups = signups; ROLLBACK');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite refuses the switch at once, with any timeout, if another process writes or makes the same switch, for example
 * if two servers start together on a new file. So it is retried here.
 */
function switchToWal(db: DatabaseSync): void {
  const giveUpAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Copies the whole WAL into the file and truncates it to nothing. Returns false if a reader or a writer is in the way.
 */
export function emptyWal(db: DatabaseSync): boolean {
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** The low byte of an extended code is the plain one. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
