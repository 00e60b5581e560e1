import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '../../app/create-folder.ts';
import { createPrivateFile } from './private-file.ts';
import { migrate, requireUsableSchema } from './schema.ts';

/** How long a statement waits for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

const SQLITE_BUSY = 5;

/**
 * Opens the database, and creates it if it is missing, accessible only to the current user. A commit returns only after
 * its data is on disk (synchronous = FULL). Readers and the single writer do not wait for each other (WAL). Deleted
 * data is overwritten (secure_delete). Throws an `Error` whose message says what is wrong with the file.
 */
export function openDatabase(file: string): DatabaseSync {
  createFolder(dirname(file));
  createPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    // Checked before anything is changed.
    requireUsableSchema(db);
    switchToWal(db);
    // Checkpoints run in a thread (checkpoints.ts). SQLite's own, which block the writer, only run if that thread falls
    // behind.
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -32000;
      PRAGMA wal_autocheckpoint = 16000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA secure_delete = ON;
    `);
    migrate(db);
    // SQLite opens a read-only file without an error and only fails on the first write, so one is made now.
    db.exec('BEGIN IMMEDIATE; UPDATE totals SET signups = signups; ROLLBACK');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * If another process is writing or switching, SQLite fails immediately regardless of the timeout, for example when two
 * servers start on a new file. So the switch is retried here.
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

/** Copies the whole WAL into the file and truncates it. Returns false if a reader or writer prevents that. */
export function emptyWal(db: DatabaseSync): boolean {
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** The low byte of an extended result code is the primary code. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
