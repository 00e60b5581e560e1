import { ANALYTICS_TABLES, ANALYTICS_TRIGGERS, TALLY_COLUMNS } from './analytics/schema.ts';
import { CAMPAIGN_TABLES, CAMPAIGN_TRIGGERS } from './campaigns/schema.ts';
import type { Queries, Sql } from './connection.ts';
import { HUMAN_TOKEN_TABLES } from './human-tokens.ts';
import { MAIL_TABLES, MAILBOX_TABLES } from './mail/schema.ts';
import { ADMIN_TABLES, API_KEY_TABLES, FIELDS_COLUMN, LIST_TABLES, PERSON_COLUMNS, SIGNUP_TABLES } from './schema.ts';
import { WEBHOOK_TABLES } from './webhooks/schema.ts';

/**
 * The steps from schema version n to n + 1, in order. A published step is never edited: a change is a new step. Everything is in the schema
 * `early_access`, so that a database of the host's can be used. Times are epoch milliseconds, durations seconds, flags 0 or 1.
 */
export const MIGRATIONS: readonly string[] = [
  [
    SIGNUP_TABLES,
    ADMIN_TABLES,
    LIST_TABLES,
    MAIL_TABLES,
    CAMPAIGN_TABLES,
    CAMPAIGN_TRIGGERS,
    ANALYTICS_TABLES,
    ANALYTICS_TRIGGERS,
    WEBHOOK_TABLES,
  ].join('\n'),
  API_KEY_TABLES,
  FIELDS_COLUMN,
  TALLY_COLUMNS + HUMAN_TOKEN_TABLES,
  PERSON_COLUMNS + MAILBOX_TABLES,
];

/** Any number, the same in every process: the lock of the one that migrates. */
export const MIGRATION_LOCK = 7_233_402;

/**
 * Brings the database to the newest schema, by one process at a time. Rejects if the database is of a newer program, because its steps may
 * have changed what this one relies on.
 */
export async function migrate(sql: Sql, migrations = MIGRATIONS): Promise<void> {
  if ((await readVersion(sql)) === migrations.length) return;
  await sql.begin('BEGIN', async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    // Read again, because another process may have migrated meanwhile.
    const version = await readVersion(tx);
    if (version > migrations.length) {
      throw new Error(
        `the database has schema version ${version} and this program knows ${migrations.length}; use the newer program`,
      );
    }
    for (const step of migrations.slice(version)) await tx.unsafe(step);
    await tx`UPDATE early_access.schema_version SET version = ${migrations.length}`;
  });
}

/** 0 for a database without the schema. */
async function readVersion(sql: Queries): Promise<number> {
  // Not to_regclass: its cache may not know yet what another process has created while this one waited for the lock.
  const tables = await sql`SELECT FROM pg_tables WHERE schemaname = 'early_access' AND tablename = 'schema_version'`;
  if (tables.length === 0) return 0;
  const [row] = await sql`SELECT version FROM early_access.schema_version`;
  return Number(row?.version);
}
