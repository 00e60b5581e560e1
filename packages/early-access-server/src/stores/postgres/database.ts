import { connect, type Queries, type Sql, type Transaction } from './connection.ts';
import { isConflict, toStorageError, within } from './failures.ts';
import { type BatchWrite, groupCommit } from './group-commit.ts';
import { migrate } from './migrations.ts';

/**
 * How the store's parts reach the database. Everything rejects with a `StorageError` only, at the latest after `DEADLINE_MS`. The first use
 * brings the schema up to date; if that fails, the next use tries again.
 */
export interface Database {
  /** For reads of one statement. */
  read<T>(read: (sql: Queries) => Promise<T>): Promise<T>;
  /** For reads of several statements, all of the same state of the database. */
  snapshot<T>(read: (sql: Queries) => Promise<T>): Promise<T>;
  /**
   * For writes. They hold the one lock of all writers, in every process, so that no other such write comes between what `work` reads and
   * what it stores. See `GroupCommit.run`.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** See `GroupCommit.batch`. */
  batch<Item, Result>(write: BatchWrite<Item, Result>): (item: Item) => Promise<Result>;
  /** For claims, which lock rows and do not wait for one another: a transaction of its own without the writers' lock. */
  claim<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Finishes what is waiting, and disconnects. */
  close(): Promise<void>;
}

/** Any number, the same in every process: the lock of all writers. */
const WRITERS = 7_233_401;

const DEADLINE_MS = 10_000;
/** The server ends what its caller no longer waits for, so that a stopped process holds no lock. */
const LIMITS = { lock_timeout: '8s', statement_timeout: '9s', idle_in_transaction_session_timeout: '9s' } as const;

const ATTEMPTS = 5;

/** Connections of one process: one for the writer, the others for reads and claims. */
const CONNECTIONS = 5;

export function openDatabase(url: string, connections = CONNECTIONS): Database {
  const sql = connect(url, connections);
  let migrated: Promise<void> | null = null;

  function ready(): Promise<void> {
    migrated ??= migrate(sql).catch((error: unknown) => {
      migrated = null;
      throw error;
    });
    return migrated;
  }

  async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await within(DEADLINE_MS, ready().then(work));
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async function transaction<T>(prepare: (tx: Transaction) => Promise<unknown>, work: (tx: Transaction) => Promise<T>) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        // The driver's type unwraps arrays of promises, which `work` never returns.
        const { result } = await sql.begin(async (tx) => {
          await prepare(tx);
          return { result: await work(tx) };
        });
        return result;
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  const commits = groupCommit((work) =>
    within(
      DEADLINE_MS,
      ready().then(() => transaction(lockWriters, work)),
    ),
  );

  return {
    read: (read) => orStorageError(() => read(sql)),
    snapshot: (read) =>
      orStorageError(async () => {
        const { result } = await sql.begin('isolation level repeatable read read only', async (tx) => ({
          result: await read(tx),
        }));
        return result;
      }),
    write: commits.run,
    batch: commits.batch,
    claim: (work) => orStorageError(() => transaction(setLimits, work)),
    async close() {
      await commits.idle();
      await sql.end({ timeout: 5 });
    },
  };
}

function setLimits(tx: Transaction): Promise<unknown> {
  return tx`
    SELECT set_config('lock_timeout', ${LIMITS.lock_timeout}, true), set_config('statement_timeout', ${LIMITS.statement_timeout}, true),
      set_config('idle_in_transaction_session_timeout', ${LIMITS.idle_in_transaction_session_timeout}, true)
  `;
}

function lockWriters(tx: Transaction): Promise<unknown> {
  // Sent together, so that they take one round trip.
  return Promise.all([setLimits(tx), tx`SELECT pg_advisory_xact_lock(${WRITERS})`]);
}

export type { Queries, Sql, Transaction };
