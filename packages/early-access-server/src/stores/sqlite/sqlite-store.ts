import { clampTimes, StorageError, type StoredSignup, splitTotals } from 'early-access-kit/core';
import { type Log, silentLog } from '../../app/ports.ts';
import { adminStore } from '../sql/admin.ts';
import { analyticsStore } from '../sql/analytics.ts';
import { apiKeyStore } from '../sql/api-keys.ts';
import { auditWriter } from '../sql/audit.ts';
import { campaignStore } from '../sql/campaigns.ts';
import { humanTokenStore } from '../sql/human-tokens.ts';
import { mailQueue } from '../sql/mail-queue.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { type SqlStoreOptions, withDefaults } from '../sql/store-options.ts';
import { readSummary } from '../sql/summary.ts';
import { webhookStore } from '../sql/webhooks.ts';
import type { Store } from '../store.ts';
import { counting } from './analytics/counting.ts';
import { backupTable } from './backups.ts';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';
import { eraser, removeTraces } from './erase.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';
import { databaseHealth } from './health.ts';
import { listTable } from './list/list.ts';
import { personTable } from './list/person.ts';
import { waveTable } from './list/waves.ts';
import { mailClaim } from './mail/claim.ts';
import { startIndexing } from './people/index-addresses.ts';
import { peopleTable, type SqlitePeopleStore } from './people/people.ts';
import { searchIndex } from './people/search-index.ts';
import { transactionRunner } from './run-transaction.ts';
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
  readonly people: SqlitePeopleStore;
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
  const persons = personTable(db, run);
  const claimMessage = mailClaim(db, run, { mailsPerHour, leaseMs });
  const erase = eraser(db, sessions, run);
  const search = searchIndex(db);
  const people = peopleTable(db, search.isUsable);
  const list = listTable(db, signups, persons, run);
  const waves = waveTable(db, people, persons, run);
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
      const erased = await commit.run(() => erase(email, clock()));
      const traces = typeof erased?.sessionId === 'string' ? [email, erased.sessionId] : [email];
      return { erased, traceless: await removeTraces(db, file, traces) };
    },
    prune: (time, limit) => commit.run(() => sessions.prune(time, limit)),
    backup: (target) => void copy.run(target),
    mails: mailQueue(database, { clock, mailsPerHour, claimNext: () => commit.run(() => claimMessage(clock())) }),
    admin: adminStore(database, clock, addAuditEntry),
    apiKeys: apiKeyStore(database, clock, addAuditEntry),
    webhooks: webhookStore(database, { clock, leaseMs }),
    humanTokens: humanTokenStore(database, clock),
    facts: async () => orUnavailable(() => backups.facts()),
    recordBackup: () => commit.run(() => backups.record(clock())),
    people: {
      list: (query) => orUnavailable(() => people.list(query)),
      find: (id) => orUnavailable(() => people.find(id)),
      all: people.all,
      count: (filter) => orUnavailable(() => people.count(filter)),
      sources: () => orUnavailable(people.sources),
      haveFields: () => orUnavailable(people.haveFields),
      listed: (emails) => orUnavailable(() => people.listed(emails)),
    },
    campaigns: campaignStore(database, clock),
    list: {
      counts: () => orUnavailable(list.counts),
      confirm: (hash, submissionId) => commit.run(() => list.confirm(hash, submissionId, clock())),
      renewConfirmation: (hash) => commit.run(() => list.renewConfirmation(hash, clock())),
      unsubscribe: (hash) => commit.run(() => list.unsubscribe(hash, clock())),
      tidyPending: (limit) => commit.run(() => list.tidyPending(limit, clock())),
      invite: (wave) => commit.run(() => waves.invite(wave, clock())),
      waves: (limit) => orUnavailable(() => waves.waves(limit)),
      withdraw: (waveId) => commit.run(() => waves.withdraw(waveId, clock())),
      checkInvite: (hash) => orUnavailable(() => list.checkInvite(hash, clock())),
      redeemInvite: (hash) => commit.run(() => list.redeemInvite(hash, clock())),
      importPeople: (imported, options) => commit.run(() => list.importPeople(imported, options, clock())),
    },
    analytics: analyticsStore(database, clock),
    close() {
      if (!db.isOpen) return;
      stopIndexing();
      commit.flush();
      wal.close();
      db.close();
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
