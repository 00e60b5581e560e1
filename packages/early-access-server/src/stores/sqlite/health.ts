import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** SQLite's primary result codes. */
const CORRUPT = 11;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

/** Two updates, because SQLite does not write a value that is already stored. */
const WRITE = 'UPDATE totals SET signups = signups + 1; UPDATE totals SET signups = signups - 1';

/** Tracks the health of the database file based on the latest reads and writes. */
export function databaseHealth(db: DatabaseSync) {
  const read = db.prepare('SELECT count(*) FROM totals');
  let isFailing = false;
  let isDamaged = false;

  return {
    /** Records the error of a read or write, or null for a commit that is on disk. */
    note(failure: unknown): void {
      const code = readCode(failure);
      if (failure === null) isFailing = false;
      // A violated constraint is the caller's fault.
      else if (code !== undefined && code !== CONSTRAINT) isFailing = true;
      if (isDamage(failure)) isDamaged = true;
    },
    /** Throws if the database does not respond, accepts no writes, or is known to be damaged. */
    check(): void {
      // Other parts of a damaged file may still work.
      if (isDamaged) throw new Error('the database is damaged; restore a backup');
      read.get();
      // After a failure only a write can show that the database works again, and there may be no other writes.
      if (isFailing) inTransaction(db, () => db.exec(WRITE));
      isFailing = false;
    },
  };
}

/** Whether the error says that the file is damaged. */
function isDamage(error: unknown): boolean {
  return [CORRUPT, NOT_A_DATABASE].includes(readCode(error) ?? 0);
}

/** The low byte of an extended result code is the primary code. */
function readCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
