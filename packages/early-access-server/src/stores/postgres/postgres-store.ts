import type { Store } from '../../app/ports/store.ts';
import { sqlStore } from '../sql/sql-store.ts';
import { type SqlStoreOptions, withDefaults } from '../sql/store-options.ts';
import { connect, type PostgresPool, wrapPool } from './connection.ts';
import { openDatabase } from './database.ts';
import { checkHealth, readFacts } from './health.ts';
import { claimMessages } from './mail/claim.ts';
import { peopleSearch } from './people/people-search.ts';
import { removeSession, saveSessions } from './sessions.ts';
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
  /** How long the store waits for the database, before it is `unavailable`. 10,000. */
  readonly deadlineMs?: number;
}

/** A server by its URL, or a pool that the host has already. */
export type PostgresStoreOptions = SqlStoreOptions & (PostgresServer | OwnPool);

/** Connections of one process: one for the writer, the others for reads and claims. */
const CONNECTIONS = 5;

/**
 * A store in a Postgres database, in the schema `early_access`. Any number of processes may use it. Connects when it is
 * first used, and brings the schema up to date.
 *
 * @example
 * const store = postgresStore({ url: 'postgres://localhost/app' });
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  const settings = withDefaults(options);
  const database =
    'pool' in options
      ? openDatabase(
          wrapPool(options.pool, async () => {}),
          options.deadlineMs,
        )
      : openDatabase(connect(options.url, options.connections ?? CONNECTIONS));
  const signUpAll = signUp(settings);
  const createSignup = database.batch(signUpAll);
  return {
    ...sqlStore(database, settings, {
      search: peopleSearch,
      addSignups: (added) => insertSignups(added),
      signUpRequests: (requests, now) => signUpAll(requests.map((request) => ({ ...request, now, confirm: true }))),
      removeSession,
      saveSession: database.batch(saveSessions),
      claimMessage: database.batchClaims(claimMessages(settings)),
    }),
    createSignup: (signup, { confirm = settings.confirm, language = null, network = null } = {}) =>
      createSignup({ signup, now: settings.clock(), confirm, language, network }),
    ping: () => checkHealth(database),
    signups: () => readSignups(database),
    facts: () => readFacts(database),
    close: () => database.close(),
  };
}
