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
  /** `postgres://user:password@host:5432/database`. May contain a password: never print it. */
  readonly url: string;
  /** The most connections per process. Default: 5. */
  readonly connections?: number;
}

interface OwnPool {
  /** The host's own pool, from `pg` or with the same interface. The store does not close it. */
  readonly pool: PostgresPool;
  /** How long to wait for the database before it counts as `unavailable`, in milliseconds. Default: 10,000. */
  readonly deadlineMs?: number;
}

/** A server's URL, or an existing pool. */
export type PostgresStoreOptions = SqlStoreOptions & (PostgresServer | OwnPool);

/** Connections per process: one for the writer, the others for reads and claims. */
const CONNECTIONS = 5;

/**
 * Creates a store in the schema `early_access` of a Postgres database. Any number of processes may use it. Connects and
 * migrates the schema on first use.
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
