import { clampTimes, StorageError, type StoredSignup, splitTotals } from 'early-access-kit/core';
import { type Log, silentLog } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { adminStore } from '../sql/admin.ts';
import { analyticsStore } from '../sql/analytics.ts';
import { apiKeyStore } from '../sql/api-keys.ts';
import { auditWriter } from '../sql/audit.ts';
import { campaignStore } from '../sql/campaigns.ts';
import { erasePerson } from '../sql/erase.ts';
import { humanTokenStore } from '../sql/human-tokens.ts';
import { listStore } from '../sql/list.ts';
import { mailQueue } from '../sql/mail-queue.ts';
import { type PeopleSearch, peopleStore } from '../sql/people.ts';
import { pruneSessions } from '../sql/prune.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { type SqlStoreOptions, withDefaults } from '../sql/store-options.ts';
import { readSummary } from '../sql/summary.ts';
import { webhookStore } from '../sql/webhooks.ts';
import { counting } from './analytics/counting.ts';
import { backupTable } from './backups.ts';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';
import { traceRemoval } from './erase.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';
import { databaseHealth } from './health.ts';
import { mailClaim } from './mail/claim.ts';
import { startIndexing } from './people/index-addresses.ts';
import { peopleSearch } from './people/people-search.ts';
import { searchIndex } from './people/search-index.ts';
import { finishedStep, transactionRunner } from './run-transaction.ts';
import { sessionTable } from './sessions.ts';
import { signupTable } from './signups.ts';
import { inSnapshot } from './transaction.ts';

export interface SqliteStoreOptions extends SqlStoreOptions {
  /** Path of the database file. Created if missing, and so is its folder, which only the user that runs the process may read. */
  readonly file: string;
  readonly log?: Log;
  readonly groupCommit?: Omit<GroupCommitOptions, 'onCommit'>;
}

/** A store in one SQLite file, embedded in the process. */
export interface SqliteStore extends Store {
  signups(): Iterable<StoredSignup>;
  /** Writes a consistent copy to a new file, without blocking other connections. */
  backup(file: string): void;
  /** Remembers that a backup was completed, for the health page. */
  recordBackup(): Promise<void>;
  close(): void;
}

/**
 * Opens the store. Every write resolves after it is on disk. Throws an `Error` whose message says what is wrong with the file.
 */
export function sqliteStore({
  file,
  log = silentLog,
  groupCommit: groupCommitOptions,
  ...options
}: SqliteStoreOptions): SqliteStore {
  const { clock, mailsPerHour, leaseMs, welcomeEmail, confirm, auditEntries } = withDefaults(options);
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
  const signups = signupTable(db, counter, run, { confirm, welcomeEmail });
  const sessions = sessionTable(db, counter);
  const claimMessage = mailClaim(db, run, { mailsPerHour, leaseMs });
  const search = searchIndex(db);
  const found = peopleSearch(db, search.isUsable);
  const people: PeopleSearch = { ...found, narrow: (filter) => orUnavailable(() => found.narrow(filter)) };
  const stopIndexing = startIndexing({
    // Without work nothing is committed, so that the health of the database is not judged by it.
    addSome: async (limit) => (search.hasWork() ? commit.run(() => search.addSome(limit)) : 0),
    log,
  });
  const copy = db.prepare('VACUUM INTO ?');
  const backups = backupTable(db, file);
  const write: SqlDatabase['write'] = (work) => commit.run(() => run(work()));
  const database: SqlDatabase = {
    query: async (statement) => orUnavailable(() => run(statement[Symbol.iterator]())),
    read: async (work) => orUnavailable(() => inSnapshot(db, () => run(work()))),
    write,
    claim: write,
    batch: (work) => async (item) => {
      for (const result of await write(() => work([item]))) return result;
      throw new TypeError('the write has no result');
    },
  };
  const addAuditEntry = auditWriter(clock, auditEntries);

  return {
    createSignup: (signup, options) => commit.run(() => signups.insert(signup, clock(), options?.confirm)),
    startSession(session) {
      const now = clock();
      const start = clampTimes(session, now);
      return commit.run(() => sessions.upsert(start, now));
    },
    updateSession(id, update) {
      const now = clock();
      const { start, totals } = splitTotals(clampTimes(update, now));
      return commit.run(() => sessions.upsert({ id, ...start }, now, totals));
    },
    readSummary: async () => orUnavailable(() => run(readSummary(clock()))),
    ping: async () => orUnavailable(health.check),
    signups: signups.all,
    async erase(email) {
      const eraseSession = (id: string, now: number) => finishedStep(sessions.erase(id, now));
      const erased = await write(() => erasePerson(email, eraseSession, clock()));
      const traces = typeof erased?.sessionId === 'string' ? [email, erased.sessionId] : [email];
      return { erased, traceless: await erasedTraces.remove(traces) };
    },
    prune: (time, limit) => write(() => pruneSessions(time, limit)),
    backup: (target) => void copy.run(target),
    mails: mailQueue(database, { clock, mailsPerHour, claimNext: () => commit.run(() => claimMessage(clock())) }),
    admin: adminStore(database, clock, addAuditEntry),
    apiKeys: apiKeyStore(database, clock, addAuditEntry),
    webhooks: webhookStore(database, { clock, leaseMs }),
    humanTokens: humanTokenStore(database, clock),
    facts: async () => orUnavailable(() => backups.facts()),
    recordBackup: () => commit.run(() => backups.record(clock())),
    people: peopleStore(database, people),
    campaigns: campaignStore(database, clock),
    list: listStore(database, {
      clock,
      search: people,
      addSignups: (added) => finishedStep(added.map(signups.add)),
    }),
    analytics: analyticsStore(database, clock),
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
      if (cause instanceof StorageError) throw cause;
      health.note(cause);
      throw new StorageError('unavailable', 'the database does not answer', { cause, retryAfter: 1 });
    }
  }
}
