import { afterAll, beforeAll } from 'vitest';
import { createTemplate, emptyDatabase, postgresForFile, readPostgres } from '../../fixtures/postgres.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { connect, type Sql } from './connection.ts';
import { postgresStore } from './postgres-store.ts';

const postgres = postgresForFile();
/** A database for all tests. */
let url: string;
let database: Sql;

beforeAll(async () => {
  url = await createTemplate(postgres());
  database = connect(url, 1);
});
afterAll(() => database.end());

runStoreContract({
  name: 'Postgres',
  async createDatabase() {
    await emptyDatabase(database);
    return { open: (options) => postgresStore({ url, ...options }), readBack: readPostgres(database), close: () => {} };
  },
});
