import { integer } from '../sql/row.ts';
import { laterSchema } from '../sql/schema/later-schema.ts';
import { earlierSchema, TABLES } from '../sql/schema/tables.ts';
import { raw, sql, type Transaction } from '../sql/statement.ts';
import { ANALYTICS_INDEXES, ANALYTICS_TRIGGERS, COUNTRY_INDEX } from './analytics/schema.ts';
import { CAMPAIGN_TRIGGERS } from './campaigns/schema.ts';
import type { Sql } from './connection.ts';
import { DATABASE_TABLES, FIELDS_INDEX, SIGNUP_INDEXES } from './schema.ts';

/** Version 1. Everything is in the schema `early_access`, so that the host's own database can be used. */
const FIRST = [DATABASE_TABLES, TABLES, SIGNUP_INDEXES, ANALYTICS_INDEXES, CAMPAIGN_TRIGGERS, ANALYTICS_TRIGGERS].join(
  '\n',
);

export const LATER_STEPS = laterSchema({ searchedFields: FIELDS_INDEX, countriesIndex: COUNTRY_INDEX });

/** An arbitrary number, the same in every process: the lock for migrations. */
export const MIGRATION_LOCK = 7_233_402;

/**
 * Migrates the database to the newest schema, one process at a time. Rejects if the database is from before version 1,
 * or was migrated by a newer version with steps that may be incompatible.
 */
export async function migrate({ begin }: Sql, later = LATER_STEPS): Promise<void> {
  const steps = [FIRST, ...later];
  await begin('BEGIN', function* () {
    if ((yield* readVersion()) === steps.length) return;
    yield* sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    // Read again, because another process may have migrated in the meantime.
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

/** Returns 0 if the schema does not exist. Throws for one from before version 1, whose version table is different. */
function* readVersion(): Transaction<number> {
  // to_regclass is not used, because its cache may not contain what another process created while this one waited for
  // the lock.
  const tables = yield* sql`
    SELECT tablename FROM pg_tables WHERE schemaname = 'early_access' AND tablename IN ('schema_steps', 'schema_version')
  `;
  if (tables.length === 0) return 0;
  if (tables.some(({ tablename }) => tablename === 'schema_version')) throw earlierSchema('DATABASE_URL');
  const [row] = yield* sql`SELECT version FROM @schema_steps`;
  return integer(row, 'version');
}
