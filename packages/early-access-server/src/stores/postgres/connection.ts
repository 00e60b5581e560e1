import pg from 'pg';
import type { Row } from '../sql/row.ts';
import { isOutageCode, unavailable } from './failures.ts';
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
    types: { getTypeParser: (type, format) => (type === BIGINT ? Number : pg.types.getTypeParser(type, format)) },
  });
  // A connection that is lost while nothing uses it. The next statement opens another one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  return Object.assign(
    queriesOn((text, values) => orUnavailable(() => pool.query(text, values))),
    {
      async begin<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
        const client = await orUnavailable(() => pool.connect());
        const run = (text: string, values?: unknown[]) => orUnavailable(() => client.query(text, values));
        let broken: Error | undefined;
        try {
          await run(begin);
          const result = await work(queriesOn(run));
          // A server rolls back, and says so, if a statement before has failed.
          if ((await run('COMMIT')).command !== 'COMMIT') throw new Error('a statement of the transaction had failed');
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
      end: () => pool.end(),
    },
  );
}

type Run = (text: string, values: unknown[]) => Promise<pg.QueryResult>;

function queriesOn(run: Run): Queries {
  const execute = async (text: string, values: unknown[]): Promise<Rows> => {
    const result: pg.QueryResult | readonly pg.QueryResult[] = await run(text, values);
    // Without parameters several statements may be sent at once.
    const last = Array.isArray(result) ? result.at(-1) : result;
    return Object.assign<Row[], { count: number }>(last.rows, { count: last.rowCount ?? 0 });
  };
  return Object.assign(
    (texts: TemplateStringsArray, ...values: readonly unknown[]) => statement(texts, values, execute),
    {
      unsafe: (text: string, values: readonly unknown[] = []) => statement([text], values, execute),
      json: (value: unknown) => JSON.stringify(value),
    },
  );
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfServer = error instanceof pg.DatabaseError;
    if (isOfServer && !isOutageCode(error.code)) throw error;
    throw unavailable(error);
  }
}
