import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** SQLite's plain result codes. */
const CORRUPT = 11;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

/** What the last reads and writes have told of the database file. */
export interface DatabaseHealth {
  /** Takes note of how a read or a write ended; null for a commit that is on the disk. */
  note(failure: unknown): void;
  /** Throws where the database does not answer, takes no writes, or has turned out to be damaged. */
  check(): void;
}

export function databaseHealth(db: DatabaseSync): DatabaseHealth {
  const look = db.prepare('SELECT count(*) FROM signup_count');
  // There and back: SQLite writes nothing for a value that is there already.
  const there = db.prepare('UPDATE signup_count SET signups = signups + 1');
  const back = db.prepare('UPDATE signup_count SET signups = signups - 1');
  let isFailing = false;
  let isDamaged = false;

  return {
    note(failure) {
      const code = codeOf(failure);
      if (failure === null) isFailing = false;
      // A broken constraint is the doing of who writes.
      else if (code !== undefined && code !== CONSTRAINT) isFailing = true;
      if (code === CORRUPT || code === NOT_A_DATABASE) isDamaged = true;
    },
    check() {
      // Parts of it may work still, and that must not hide it.
      if (isDamaged) throw new Error('the database is damaged; restore a backup');
      look.get();
      // After a failure only a write tells whether it is over, and there may be nobody else who writes.
      if (isFailing) inTransaction(db, () => [there.run(), back.run()]);
      isFailing = false;
    },
  };
}

/** The plain code is the low byte of an extended one. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
