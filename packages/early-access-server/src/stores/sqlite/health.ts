import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** SQLite's plain result codes. */
const CORRUPT = 11;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

/** Up and down again, because SQLite does not write a value that is already stored. */
const WRITE = 'UPDATE totals SET signups = signups + 1; UPDATE totals SET signups = signups - 1';

/** Health of the database file, judged by the last reads and writes. */
export function databaseHealth(db: DatabaseSync) {
  const read = db.prepare('SELECT count(*) FROM totals');
  let isFailing = false;
  let isDamaged = false;

  return {
    /** Records the error of a read or a write; null for a commit that is on disk. */
    note(failure: unknown): void {
      const code = readCode(failure);
      if (failure === null) isFailing = false;
      // A violated constraint is the caller's fault.
      else if (code !== undefined && code !== CONSTRAINT) isFailing = true;
      if (isDamage(failure)) isDamaged = true;
    },
    /** Throws if the database does not respond, accepts no writes, or is known to be damaged. */
    check(): void {
      // Parts of a damaged file may still work.
      if (isDamaged) throw new Error('the database is damaged; restore a backup');
      read.get();
      // After a failure only a write shows whether it is over, and no one else may be writing.
      if (isFailing) inTransaction(db, () => db.exec(WRITE));
      isFailing = false;
    },
  };
}

/** Whether the error says that the file is damaged. */
function isDamage(error: unknown): boolean {
  return [CORRUPT, NOT_A_DATABASE].includes(readCode(error) ?? 0);
}

/** The plain code is the low byte of an extended one. */
function readCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
