import pg from 'pg';
import type { Row } from '../sql/row.ts';
import { isOutageCode, readSqlState, unavailable } from './failures.ts';
import { type Statement, statement } from './statement.ts';

/** Rows of a result; `count`: how many rows the statement returned or changed. */
type Rows = readonly Row[] & { readonly count: number };

/**
 * Makes statements; await one to run it, or use it inside another as a part of it. Values become parameters: SELECT ... WHERE id = ${id}.
 * Reject with a `StorageError` if the server cannot be reached or accepts no statements, otherwise with the server's own error.
 */
export interface Queries {
  (texts: TemplateStringsArray, ...values: readonly unknown[]): Statement<Rows>;
  /** A statement, or a part of one, as it is. `values` are its parameters $1, $2 and so on. */
  unsafe(text: string, values?: readonly unknown[]): Statement<Rows>;
  /** A value for a jsonb parameter. */
  json(value: unknown): string;
}
/** Statements of one transaction. */
export type Transaction = Queries;

/** A pool of connections, opened when they are needed. */
export interface Sql extends Queries {
  /** Runs `work` in a transaction that begins with `begin`, and stores nothing if it throws. */
  begin<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

const CONNECT_MS = 5_000;
const QUERY_MS = 10_000;
const IDLE_MS = 60_000;

/** The type of ids, times and counts, all of which are below 2^53. */
const BIGINT = 20;

/** Converts the types of a result. */
const TYPES = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === BIGINT ? Number : pg.types.getTypeParser(type, format),
};

/** A statement as `pg` takes it. `types` converts the columns: a bigint arrives as a number, jsonb parsed. */
export interface PoolQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly types: typeof TYPES;
}

/** Several results if several statements were sent at once, which have no values. */
export type PoolResult = PoolRows | readonly PoolRows[];

export interface PoolRows {
  readonly rows: Row[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** The part of a `pg.Pool` that the store uses. Errors of the server have its SQLSTATE in `code` and a `severity`. */
export interface PostgresPool {
  query(query: PoolQuery): Promise<PoolResult>;
  /** Returns a connection for one transaction. A connection that is released with an error is not used again. */
  connect(): Promise<{ query(query: PoolQuery): Promise<PoolResult>; release(error?: Error): void }>;
}

/**
 * Each statement is sent with its parameters at once and none is prepared by name, so a transaction pooler, which gives each transaction
 * another connection, works too.
 */
export function connect(url: string, connections: number): Sql {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'early-access-server',
  });
  // A connection that is lost while nothing uses it. The next statement opens another one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return wrapPool(pool, () => pool.end());
}

/** Runs statements on the connections of a pool. `end` closes it. */
export function wrapPool(pool: PostgresPool, end: () => Promise<void>): Sql {
  return Object.assign(
    createQueries((text, values) => orUnavailable(() => pool.query({ text, values, types: TYPES }))),
    {
      async begin<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
        const client = await orUnavailable(() => pool.connect());
        const run = (text: string, values: unknown[] = []) =>
          orUnavailable(() => client.query({ text, values, types: TYPES }));
        let broken: Error | undefined;
        try {
          await run(begin);
          const result = await work(createQueries(run));
          // A server rolls back, and says so, if a statement before has failed.
          if (getLast(await run('COMMIT')).command !== 'COMMIT') {
            throw new Error('a statement of the transaction had failed');
          }
          return result;
        } catch (error) {
          await run('ROLLBACK').catch((failure: Error) => {
            broken = failure;
          });
          throw error;
        } finally {
          client.release(broken);
        }
      },
      end,
    },
  );
}

type Run = (text: string, values: unknown[]) => Promise<PoolResult>;

function createQueries(run: Run): Queries {
  const execute = async (text: string, values: unknown[]): Promise<Rows> => {
    const { rows, rowCount } = getLast(await run(text, values));
    return Object.assign<Row[], { count: number }>(rows, { count: rowCount ?? 0 });
  };
  return Object.assign(
    (texts: TemplateStringsArray, ...values: readonly unknown[]) => statement(texts, values, execute),
    {
      unsafe: (text: string, values: readonly unknown[] = []) => statement([text], values, execute),
      json: (value: unknown) => JSON.stringify(value),
    },
  );
}

/** Without parameters several statements may be sent at once. */
function getLast(result: PoolResult): PoolRows {
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
