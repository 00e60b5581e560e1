import { clampTimes, splitTotals } from 'early-access-kit/core';
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
import { peopleStore } from '../sql/people.ts';
import { pruneSessions } from '../sql/prune.ts';
import { type SqlStoreOptions, withDefaults } from '../sql/store-options.ts';
import { readSummary } from '../sql/summary.ts';
import { webhookStore } from '../sql/webhooks.ts';
import { connect, type PostgresPool, wrapPool } from './connection.ts';
import { openDatabase } from './database.ts';
import { checkHealth, readFacts } from './health.ts';
import { claimMessage } from './mail/claim.ts';
import { peopleSearch } from './people/people-search.ts';
import { awaitStep, sqlDatabase } from './run-transaction.ts';
import { eraseSession, saveSessions } from './sessions.ts';
import { insertSignups, readSignups, signUp } from './signups.ts';

interface PostgresServer {
  /** `postgres://user:password@host:5432/database`. It may hold a password: never print it. */
  readonly url: string;
  /** How many connections a process opens at most. 5. */
  readonly connections?: number;
}

interface OwnPool {
  /** A pool of the host's, of `pg` or with the same interface. The store does not close it. */
  readonly pool: PostgresPool;
}

export type PostgresStoreOptions = SqlStoreOptions & (PostgresServer | OwnPool);

/** Connections of one process: one for the writer, the others for reads and claims. */
const CONNECTIONS = 5;

/**
 * A store in a Postgres database, in the schema `early_access`. Any number of processes may use it. Connects when it is first used, and brings
 * the schema up to date.
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  const { clock, mailsPerHour, leaseMs, welcomeEmail, confirm, auditEntries } = withDefaults(options);
  const database = openDatabase(
    'pool' in options
      ? wrapPool(options.pool, async () => {})
      : connect(options.url, options.connections ?? CONNECTIONS),
  );
  const shared = sqlDatabase(database);
  const addAuditEntry = auditWriter(clock, auditEntries);
  const createSignup = database.batch(signUp({ confirm, welcomeEmail }));
  const saveSession = database.batch(saveSessions);
  return {
    createSignup: (signup, options) => createSignup({ signup, now: clock(), confirm: options?.confirm ?? confirm }),
    async startSession(session) {
      const now = clock();
      await saveSession({ start: clampTimes(session, now), totals: undefined, now });
    },
    async updateSession(id, update) {
      const now = clock();
      const { start, totals } = splitTotals(clampTimes(update, now));
      await saveSession({ start: { id, ...start }, totals, now });
    },
    readSummary: () => shared.read(() => readSummary(clock())),
    ping: () => checkHealth(database),
    signups: () => readSignups(database),
    erase: async (email) => ({
      erased: await shared.write(() =>
        erasePerson(email, (id, now) => awaitStep((tx) => eraseSession(tx, id, now)), clock()),
      ),
      traceless: true,
    }),
    prune: (time, limit) => shared.write(() => pruneSessions(time, limit)),
    admin: adminStore(shared, clock, addAuditEntry),
    apiKeys: apiKeyStore(shared, clock, addAuditEntry),
    facts: () => readFacts(database),
    list: listStore(shared, {
      clock,
      search: peopleSearch,
      addSignups: (added) => awaitStep((tx) => insertSignups(tx, added)),
    }),
    people: peopleStore(shared, peopleSearch),
    analytics: analyticsStore(shared, clock),
    webhooks: webhookStore(shared, { clock, leaseMs }),
    humanTokens: humanTokenStore(shared, clock),
    mails: mailQueue(shared, {
      clock,
      mailsPerHour,
      claimNext() {
        const now = clock();
        return database.claim((tx) => claimMessage(tx, { mailsPerHour, leaseMs }, now));
      },
    }),
    campaigns: campaignStore(shared, clock),
    close: () => database.close(),
  };
}
