import type { SqlDatabase } from '../sql/sql-database.ts';
import type { Steps } from '../sql/statement.ts';
import type { Sql } from './connection.ts';
import { isConflict, toStorageError, withTimeout } from './failures.ts';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrations.ts';

/**
 * Database access for the parts of the store. Every operation has to finish within `DEADLINE_MS`. The first one
 * migrates the schema; if that fails, the next one tries again. Writes hold a lock that all writers in all processes
 * share. Claims do not: they lock single rows and do not wait for each other.
 */
export interface Database extends SqlDatabase {
  /** Like `batch`, but other transactions may change rows that `work` has not locked. */
  batchClaims: SqlDatabase['batch'];
  /** Finishes waiting writes and disconnects. */
  close(): Promise<void>;
}

const DEADLINE_MS = 10_000;
/** The server aborts statements that the caller no longer waits for, so that a stopped process holds no locks. */
const BEGIN = `
  BEGIN;
  SET LOCAL lock_timeout = '8s';
  SET LOCAL statement_timeout = '9s';
  SET LOCAL idle_in_transaction_session_timeout = '9s'
`;
/**
 * An arbitrary number, the same in every process: the lock shared by all writers. Sent together with BEGIN to save a
 * round trip.
 */
export const BEGIN_WRITING = `${BEGIN}; SELECT pg_advisory_xact_lock(7233401)`;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const ATTEMPTS = 5;

export function openDatabase(sql: Sql, deadlineMs = DEADLINE_MS): Database {
  let migrated: Promise<void> | null = null;

  function ready(): Promise<void> {
    migrated ??= migrate(sql).catch((error: unknown) => {
      migrated = null;
      throw error;
    });
    return migrated;
  }

  const withinDeadline = <T>(work: () => Promise<T>): Promise<T> => withTimeout(deadlineMs, ready().then(work));

  async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withinDeadline(work);
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async function transaction<T>(begin: string, work: () => Steps<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sql.begin(begin, work);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  const commits = groupCommit((work) => withinDeadline(() => transaction(BEGIN_WRITING, work)));
  const claims = groupCommit((work) => withinDeadline(() => transaction(BEGIN, work)), 1);

  return {
    query: (statement) => orStorageError(() => sql.run(statement)),
    read: (work) => orStorageError(() => sql.begin(BEGIN_SNAPSHOT, work)),
    write: commits.run,
    batch: commits.batch,
    claim: (work) => orStorageError(() => transaction(BEGIN, work)),
    batchClaims: claims.batch,
    async close() {
      await Promise.all([commits.idle(), claims.idle()]);
      await sql.end();
    },
  };
}
