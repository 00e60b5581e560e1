import { beforeAll, describe } from 'vitest';
import { fieldsEverywhere } from '../../fixtures/fields-everywhere.ts';
import { createTemplate, postgresForFile } from '../../fixtures/postgres.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { postgresStore } from '../../stores/postgres/postgres-store.ts';

describe('SQLite', () => fieldsEverywhere(40, async () => tempStore().store));

describe('Postgres', () => {
  const postgres = postgresForFile();
  let template: string;
  beforeAll(async () => {
    template = await createTemplate(postgres());
  });
  fieldsEverywhere(5, async () => postgresStore({ url: await postgres().createDatabase(template) }));
});
