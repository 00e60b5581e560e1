import { DatabaseSync } from 'node:sqlite';
import { migrate } from './schema.ts';

/** How long a statement waits for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

const SQLITE_BUSY = 5;

/**
 * Opens the database, made where there is none. A commit returns only after its data are on the disk (synchronous = FULL);
 * readers and the one writer do not wait for each other (WAL). Throws an `Error` whose message says what is wrong with the file.
 */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    switchToWal(db);
    // Checkpoints are made elsewhere (checkpoints.ts); SQLite's own, which keep the writer waiting, only where those fall behind.
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -32000;
      PRAGMA wal_autocheckpoint = 16000;
      PRAGMA journal_size_limit = 67108864;
    `);
    migrate(db);
    // SQLite opens a file that may not be written without a word, and refuses each write later.
    db.exec('BEGIN IMMEDIATE; UPDATE signup_count SET signups = signups; ROLLBACK');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite refuses the switch at once, whatever the timeout, where another process writes or makes the same switch: two servers
 * that are started together on a new file. So the waiting is done here.
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

/** The low byte of an extended code is the plain one. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
