import { integer } from '../sql/row.ts';
import { laterSchema } from '../sql/schema/later-schema.ts';
import { earlierSchema, TABLES } from '../sql/schema/tables.ts';
import { raw, sql, type Transaction } from '../sql/statement.ts';
import { ANALYTICS_INDEXES, ANALYTICS_TRIGGERS, COUNTRY_INDEX } from './analytics/schema.ts';
import { CAMPAIGN_TRIGGERS } from './campaigns/schema.ts';
import type { Sql } from './connection.ts';
import { DATABASE_TABLES, FIELDS_INDEX, SIGNUP_INDEXES } from './schema.ts';

/** Version 1. Everything is in the schema `early_access`, so that a database of the host's can be used. */
const FIRST = [DATABASE_TABLES, TABLES, SIGNUP_INDEXES, ANALYTICS_INDEXES, CAMPAIGN_TRIGGERS, ANALYTICS_TRIGGERS].join(
  '\n',
);

export const LATER_STEPS = laterSchema({ searchedFields: FIELDS_INDEX, countriesIndex: COUNTRY_INDEX });

/** Any number, the same in every process: the lock of the one that migrates. */
export const MIGRATION_LOCK = 7_233_402;

/**
 * Brings the database to the newest schema, by one process at a time. Rejects if the database is from before version 1,
 * or of a newer program, because its steps may have changed what this one relies on.
 */
export async function migrate({ begin }: Sql, later = LATER_STEPS): Promise<void> {
  const steps = [FIRST, ...later];
  await begin('BEGIN', function* () {
    if ((yield* readVersion()) === steps.length) return;
    yield* sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    // Read again, because another process may have migrated meanwhile.
    const version = yield* readVersion();
    if (version > steps.length) {
      throw new Error(
        `the database has schema version ${version} and this program knows ${steps.length}; use the newer program`,
      );
    }
    for (const step of steps.slice(version)) yield* raw(step);
    yield* sql`UPDATE @schema_steps SET version = ${steps.length}`;
  });
}

/**
 * 0 for a database without the schema. Throws for one from before version 1, which has another table of its version.
 */
function* readVersion(): Transaction<number> {
  // Not to_regclass: its cache may not know yet what another process has created while this one waited for the lock.
  const tables = yield* sql`
    SELECT tablename FROM pg_tables WHERE schemaname = 'early_access' AND tablename IN ('schema_steps', 'schema_version')
  `;
  if (tables.length === 0) return 0;
  if (tables.some(({ tablename }) => tablename === 'schema_version')) throw earlierSchema('DATABASE_URL');
  const [row] = yield* sql`SELECT version FROM @schema_steps`;
  return integer(row, 'version');
}
