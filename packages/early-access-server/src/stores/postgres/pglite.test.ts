import { PGlite, type Results } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { afterAll, beforeAll, describe } from 'vitest';
import { emptyDatabase, readPostgres } from '../../fixtures/postgres.ts';
import { createSetUp } from '../../testing/harness.ts';
import { mailContract } from '../../testing/mail-contract.ts';
import { personContract } from '../../testing/person-contract.ts';
import { roundTripContract } from '../../testing/round-trip-contract.ts';
import { sessionContract } from '../../testing/session-contract.ts';
import type { Row } from '../sql/row.ts';
import { type PoolQuery, type PoolResult, type PoolRows, type PostgresPool, wrapPool } from './connection.ts';
import { migrate } from './migrations.ts';
import { postgresStore } from './postgres-store.ts';

/** PGlite is Postgres inside the process, with a single connection: a database that this project has no driver for. */
const pglite = new PGlite({ parsers: { 20: Number }, extensions: { pg_trgm } });

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

const database = wrapPool(pool, () => pglite.close());
beforeAll(() => migrate(database));
afterAll(database.end);

// Statements are tested on Postgres. Another driver differs in how it converts values, and PGlite in a single
// connection for all callers.
describe('store contract: PGlite', () => {
  const setUp = createSetUp({
    name: 'PGlite',
    async createDatabase() {
      await emptyDatabase(database);
      return {
        open: (options) => postgresStore({ pool, deadlineMs: 60_000, ...options }),
        readBack: readPostgres(database),
        close: () => {},
      };
    },
  });
  personContract(setUp);
  sessionContract(setUp);
  mailContract(setUp);
  roundTripContract(setUp, 1);
});
