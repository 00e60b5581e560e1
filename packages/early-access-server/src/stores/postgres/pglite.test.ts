import { PGlite, type Results } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { afterAll } from 'vitest';
import { readPostgres } from '../../fixtures/postgres.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import type { Row } from '../sql/row.ts';
import { type PoolQuery, type PoolResult, type PoolRows, type PostgresPool, wrapPool } from './connection.ts';
import { postgresStore } from './postgres-store.ts';

/** PGlite is Postgres inside the process, with a single connection: a database that this project has no driver for. */
const startPglite = () => new PGlite({ parsers: { 20: Number }, extensions: { pg_trgm } });
let pglite = startPglite();
afterAll(() => pglite.close());

/** Gives the one connection to one transaction at a time. */
const pool: PostgresPool = {
  async query(query) {
    const connection = await pool.connect();
    try {
      return await connection.query(query);
    } finally {
      connection.release();
    }
  },
  async connect() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = released;
    released = promise;
    await before;
    return { query: run, release: () => resolve() };
  },
};
let released = Promise.resolve();

async function run({ text, values }: PoolQuery): Promise<PoolResult> {
  // Only statements without parameters may be several.
  if (values.length === 0) return (await pglite.exec(text)).map(toRows);
  return toRows(await pglite.query<Row>(text, values));
}

function toRows({ rows, rowCount = 0 }: Results): PoolRows {
  return { rows, rowCount };
}

/** Each dropped schema makes the next one's statements slower, three times after 200 of them. Starting anew takes three seconds. */
const SCHEMAS_PER_INSTANCE = 40;
let dropped = 0;

async function dropSchema(): Promise<void> {
  dropped += 1;
  if (dropped % SCHEMAS_PER_INSTANCE > 0) return void (await pglite.exec('DROP SCHEMA IF EXISTS early_access CASCADE'));
  await pglite.close();
  pglite = startPglite();
}

runStoreContract({
  name: 'PGlite',
  histories: 2,
  async createDatabase() {
    await dropSchema();
    return {
      open: (options) => postgresStore({ pool, deadlineMs: 60_000, ...options }),
      readBack: readPostgres(wrapPool(pool, async () => {})),
      close: () => {},
    };
  },
});
