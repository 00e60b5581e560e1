import { loadOptional } from '../../app/optional-package.ts';
import type { Row } from '../sql/row.ts';
import type { Rows, SqlValue, Statement, Steps } from '../sql/statement.ts';
import { DIALECT } from './dialect.ts';
import { isOutageCode, readSqlState, unavailable } from './failures.ts';

/**
 * Loaded with the first connection, because people who use SQLite do not install it; the error explains what to
 * install. A top-level `await` is not possible in hosts that are bundled as CommonJS.
 */
let driver: Promise<typeof import('pg')['default']> | undefined;
function loadDriver() {
  driver ??= loadOptional(
    async () => (await import('pg')).default,
    'Postgres needs the driver pg: npm install pg (or npx --package early-access-server --package pg early-access-server)',
  );
  return driver;
}

/**
 * A connection pool. Connections are opened on demand. Rejects with a `StorageError` if the server is unavailable or
 * accepts no statements, otherwise with the server's own error.
 */
export interface Sql {
  /** Runs one statement on any connection. */
  run(statement: Statement): Promise<Rows>;
  /** Runs `work` in a transaction that starts with the statement `begin`. Stores nothing if it throws. */
  begin<T>(begin: string, work: () => Steps<T>): Promise<T>;
  end(): Promise<void>;
}

const CONNECT_MS = 5_000;
const QUERY_MS = 10_000;
const IDLE_MS = 60_000;

/** The type of ids, times and counts, all of which are below 2^53. */
const BIGINT = 20;

/** Parsers for the column types of a result. */
interface Types {
  getTypeParser(type: number, format?: 'text' | 'binary'): (value: string) => unknown;
}

let types: Promise<Types> | undefined;
function loadTypes(): Promise<Types> {
  types ??= loadDriver().then((pg) => ({
    getTypeParser: (type, format) => (type === BIGINT ? Number : pg.types.getTypeParser(type, format)),
  }));
  return types;
}

/** A statement for `pg`. `types` converts the columns: bigint to a number, and jsonb to the parsed value. */
export interface PoolQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly types: Types;
}

/** There are several results if several statements without values were sent at once. */
export type PoolResult = PoolRows | readonly PoolRows[];

export interface PoolRows {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** The part of a `pg.Pool` that the store uses. The server's errors have a SQLSTATE in `code`, and a `severity`. */
export interface PostgresPool {
  query(query: PoolQuery): Promise<PoolResult>;
  /** Returns a connection for one transaction. A connection that is released with an error is not reused. */
  connect(): Promise<{ query(query: PoolQuery): Promise<PoolResult>; release(error?: Error): void }>;
}

/**
 * Statements are sent together with their parameters and never prepared by name. So transaction poolers, which use a
 * different connection for each transaction, work as well.
 */
export function connect(url: string, connections: number): Sql {
  let opened: Promise<Sql> | undefined;
  const open = () => {
    opened ??= openPool(url, connections);
    return opened;
  };
  return {
    run: async (statement) => (await open()).run(statement),
    begin: async (begin, work) => (await open()).begin(begin, work),
    end: async () => (await opened?.catch(() => undefined))?.end(),
  };
}

async function openPool(url: string, connections: number): Promise<Sql> {
  const pg = await loadDriver();
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'early-access-server',
    pipeline: true,
  });
  // An idle connection was lost. The next statement opens a new one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return wrapPool(pool, () => pool.end());
}

/** Runs statements on the connections of a pool. `end` closes it. */
export function wrapPool(pool: PostgresPool, end: () => Promise<void>): Sql {
  return {
    run: (statement) => send(pool, statement),
    async begin(begin, work) {
      const client = await orUnavailable(() => pool.connect());
      // Other drivers and older versions of `pg` accept a statement only after the result of the previous one.
      const isPipelined = 'pipeline' in client && client.pipeline === true;
      let broken: Error | undefined;
      const ahead = new Map<Statement, Promise<Rows>>();
      const unread: Promise<Rows>[] = [];
      const run = (statement: Statement) => {
        const rows = ahead.get(statement) ?? send(client, statement);
        ahead.delete(statement);
        if (isPipelined) for (const next of statement.followers) ahead.set(next, handled(send(client, next)));
        return handled(rows);
      };
      try {
        const began = handled(sendText(client, begin));
        if (!isPipelined) await began;
        const transaction = work()[Symbol.iterator]();
        let step = transaction.next();
        while (!step.done) {
          const rows = run(step.value);
          await began;
          const isUnread = isPipelined && step.value.isUnread;
          if (isUnread) unread.push(rows);
          step = transaction.next(isUnread ? NO_ROWS : await rows);
        }
        await began;
        await sendText(client, 'COMMIT');
        // After a failed statement, COMMIT succeeds without storing anything.
        await Promise.all(unread);
        return step.value;
      } catch (error) {
        await sendText(client, 'ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        // The errors of the statements after it only repeat that the transaction has failed.
        await Promise.all(unread);
        throw error;
      } finally {
        client.release(broken);
      }
    },
    end,
  };
}

const NO_ROWS: Rows = Object.assign([], { count: 0 });

/**
 * Returns the promise, and prevents an unhandled rejection if it fails before it is awaited, or is never awaited
 * because an earlier one failed.
 */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function send(client: Pick<PostgresPool, 'query'>, statement: Statement): Promise<Rows> {
  const values: SqlValue[] = [];
  const { rows, rowCount } = await sendText(client, DIALECT.build(statement, values), values);
  return Object.assign<Row[], { count: number }>(rows, { count: rowCount ?? 0 });
}

/** Returns the result of the last statement, because several may be sent at once if they have no parameters. */
async function sendText(client: Pick<PostgresPool, 'query'>, text: string, values: SqlValue[] = []): Promise<PoolRows> {
  const types = await loadTypes();
  const result = await orUnavailable(() => client.query({ text, values, types }));
  const last = 'rows' in result ? result : result.at(-1);
  if (last === undefined) throw new TypeError('the pool returned no result');
  return last;
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const state = readSqlState(error);
    if (state !== undefined && !isOutageCode(state)) throw error;
    throw unavailable(error);
  }
}
