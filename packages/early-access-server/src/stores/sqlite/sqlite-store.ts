import { isStorageError, StorageError, type StoredSignup } from 'early-access-kit/internal';
import { type Log, silentLog } from '../../app/ports/log.ts';
import { NO_ANSWER, type Store } from '../../app/ports/store.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { sqlStore } from '../sql/sql-store.ts';
import { finishedStep } from '../sql/statement.ts';
import { type SqlStoreOptions, withDefaults } from '../sql/store-options.ts';
import { counting } from './analytics/counting.ts';
import { copyDatabase, readFacts, recordBackup } from './backups.ts';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';
import { traceRemoval } from './erase.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';
import { databaseHealth } from './health.ts';
import { mailClaim } from './mail/claim.ts';
import { startIndexing } from './people/index-addresses.ts';
import { peopleSearch } from './people/people-search.ts';
import { addToIndex, countUnsearched } from './people/search-index.ts';
import { transactionRunner } from './run-transaction.ts';
import { sessionRoom } from './session-room.ts';
import { sessionWriter } from './sessions.ts';
import { signupTable } from './signups.ts';
import { inSnapshot } from './transaction.ts';

/** The location of the database file, and options. */
export interface SqliteStoreOptions extends SqlStoreOptions {
  /**
   * Path of the database file. The file and its folder are created if they are missing, accessible only to the user
   * that runs the process.
   */
  readonly file: string;
  readonly log?: Log;
  readonly groupCommit?: Omit<GroupCommitOptions, 'onCommit'>;
}

/** A store in one SQLite file, embedded in the process. */
export interface SqliteStore extends Store {
  signups(): Iterable<StoredSignup>;
  /** Writes a consistent copy to a new file without blocking other connections. */
  backup(file: string): Promise<void>;
  /** Records that a backup was completed, for the health page. */
  recordBackup(): Promise<void>;
  close(): void;
}

/**
 * Opens the store. Every write resolves after it is on disk. Throws an `Error` whose message says what is wrong with
 * the file.
 *
 * @example
 * const store = sqliteStore({ file: 'data/early-access.sqlite', confirm: true });
 */
export function sqliteStore({
  file,
  log = silentLog,
  groupCommit: groupCommitOptions,
  ...options
}: SqliteStoreOptions): SqliteStore {
  const settings = withDefaults(options);
  const { clock } = settings;
  const db = openDatabase(file);
  const health = databaseHealth(db);
  const wal = checkpoints(file, db);
  const erasedTraces = traceRemoval(file);
  const commit = groupCommit(db, {
    ...groupCommitOptions,
    onCommit(failure, writes) {
      health.note(failure);
      wal.note(writes);
    },
  });
  const counter = counting(db);
  const run = transactionRunner(db);
  const write: SqlDatabase['write'] = (work) => commit.run(() => run(work()));
  const signups = signupTable(db, counter, run, settings);
  const saveSession = sessionWriter(db, counter);
  const checkRoom = sessionRoom(file, log);
  const claimMessage = mailClaim(db, run, settings);
  const found = peopleSearch(run);
  // If there is nothing to index, nothing is committed, because an empty commit would make the database appear healthy.
  const stopIndexing = startIndexing(
    async (limit) => (run(countUnsearched(1)) > 0 ? write(() => addToIndex(limit)) : 0),
    log,
  );
  const database: SqlDatabase = {
    query: async (statement) => orUnavailable(() => run(statement)),
    read: async (work) => orUnavailable(() => inSnapshot(db, () => run(work()))),
    write,
    claim: write,
    batch: (work) => async (item) => onlyResult(await write(() => work([item]))),
  };
  const { erase, ...shared } = sqlStore(database, settings, {
    search: { ...found, narrow: (filter) => orUnavailable(() => found.narrow(filter)) },
    addSignups: (added) => finishedStep(added.map(signups.add)),
    signUpRequests: (requests, now) =>
      finishedStep(requests.map(({ signup, ...about }) => signups.insert(signup, now, { ...about, confirm: true }))),
    removeSession: counter.removeSession,
    async saveSession(write) {
      checkRoom();
      return commit.run(() => saveSession(write));
    },
    claimMessage: (now) => commit.run(() => claimMessage(now)),
  });

  return {
    ...shared,
    createSignup: (signup, options) => commit.run(() => signups.insert(signup, clock(), options)),
    async erase(email, ofImport) {
      const { erased } = await erase(email, ofImport);
      // In all other cases traces are removed even if nothing is stored, because an earlier run may have been
      // interrupted.
      if (erased === null && ofImport !== undefined) return { erased, traceless: true };
      const others = [erased?.sessionId, erased?.newEmail].filter((trace) => typeof trace === 'string');
      return { erased, traceless: await erasedTraces.remove([email, ...others]) };
    },
    ping: async () => orUnavailable(health.check),
    signups: signups.all,
    backup: (target) => copyDatabase(file, target),
    facts: () => database.read(() => readFacts(file)),
    recordBackup: () => write(() => recordBackup(clock())),
    close() {
      if (!db.isOpen) return;
      stopIndexing();
      commit.flush();
      wal.close();
      db.close();
      erasedTraces.close();
    },
  };

  function orUnavailable<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      if (isStorageError(cause)) throw cause;
      health.note(cause);
      throw new StorageError('unavailable', NO_ANSWER, { cause, retryAfter: 1 });
    }
  }
}

/** The result of a batch with one item. */
function onlyResult<T>(results: Iterable<T>): T {
  for (const result of results) return result;
  throw new TypeError('the write has no result');
}
