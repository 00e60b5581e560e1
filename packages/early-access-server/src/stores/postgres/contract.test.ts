import { beforeAll } from 'vitest';
import { createTemplate, postgresForFile, readPostgres } from '../../fixtures/postgres.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { connect } from './connection.ts';
import { postgresStore } from './postgres-store.ts';

const postgres = postgresForFile();
/** An empty database with the newest schema. */
let template: string;

beforeAll(async () => {
  template = await createTemplate(postgres());
});

runStoreContract({
  name: 'Postgres',
  async createDatabase() {
    const url = await postgres().createDatabase(template);
    const raw = connect(url, 1);
    return {
      open: (options) => postgresStore({ url, ...options }),
      readBack: readPostgres(raw),
      close: () => raw.end(),
    };
  },
});
