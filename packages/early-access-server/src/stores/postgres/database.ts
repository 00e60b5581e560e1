import type { Queries, Sql, Transaction } from './connection.ts';
import { isConflict, toStorageError, within } from './failures.ts';
import { type BatchWrite, groupCommit } from './group-commit.ts';
import { migrate } from './migrations.ts';

/**
 * How the store's parts reach the database. Everything rejects with a `StorageError` only, at the latest after `DEADLINE_MS`. The first use
 * brings the schema up to date; if that fails, the next use tries again.
 */
export interface Database {
  /** Reads with one statement. */
  read<T>(read: (sql: Queries) => PromiseLike<T>): Promise<T>;
  /** Reads with several statements, all of the same state of the database. */
  snapshot<T>(read: (sql: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs a write. Writes hold the one lock of all writers, in every process, so that no other such write comes between what `work` reads
   * and what it stores. See `GroupCommit.run`.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** See `GroupCommit.batch`. */
  batch<Item, Result>(write: BatchWrite<Item, Result>): (item: Item) => Promise<Result>;
  /** Runs a claim in a transaction without the writers' lock: claims lock rows and do not wait for one another. */
  claim<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Finishes what is waiting, and disconnects. */
  close(): Promise<void>;
}

const DEADLINE_MS = 10_000;
/** The server ends what its caller no longer waits for, so that a stopped process holds no lock. */
const BEGIN = `
  BEGIN;
  SET LOCAL lock_timeout = '8s';
  SET LOCAL statement_timeout = '9s';
  SET LOCAL idle_in_transaction_session_timeout = '9s'
`;
/** Any number, the same in every process: the lock of all writers. Sent at once, so that it takes one round trip. */
export const BEGIN_WRITING = `${BEGIN}; SELECT pg_advisory_xact_lock(7233401)`;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const ATTEMPTS = 5;

export function openDatabase(sql: Sql): Database {
  let migrated: Promise<void> | null = null;

  function ready(): Promise<void> {
    migrated ??= migrate(sql).catch((error: unknown) => {
      migrated = null;
      throw error;
    });
    return migrated;
  }

  async function orStorageError<T>(work: () => PromiseLike<T>): Promise<T> {
    try {
      return await within(DEADLINE_MS, ready().then(work));
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async function transaction<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sql.begin(begin, work);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  const commits = groupCommit((work) =>
    within(
      DEADLINE_MS,
      ready().then(() => transaction(BEGIN_WRITING, work)),
    ),
  );

  return {
    read: (read) => orStorageError(() => read(sql)),
    snapshot: (read) => orStorageError(() => sql.begin(BEGIN_SNAPSHOT, read)),
    write: commits.run,
    batch: commits.batch,
    claim: (work) => orStorageError(() => transaction(BEGIN, work)),
    async close() {
      await commits.idle();
      await sql.end();
    },
  };
}
