import { DatabaseSync } from 'node:sqlite';
import { migrate } from './schema.ts';

/** How long a statement waits for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database, made where there is none. A commit returns only after its data are on the disk (synchronous = FULL);
 * readers and the one writer do not wait for each other (WAL). Throws an `Error` whose message says what is wrong with the file.
 */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -32000;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 67108864;
    `);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
