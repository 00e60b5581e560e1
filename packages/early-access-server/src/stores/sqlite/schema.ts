import type { DatabaseSync } from 'node:sqlite';
import { laterSchema } from '../sql/schema/later-schema.ts';
import { earlierSchema, TABLES } from '../sql/schema/tables.ts';
import { ANALYTICS_SCHEMA, COUNTRY_INDEX } from './analytics/schema.ts';
import { CAMPAIGN_TRIGGERS } from './campaigns/schema.ts';
import { SEARCH_SCHEMA, SEARCHED_FIELDS } from './people/schema.ts';
import { DIALECT } from './run-transaction.ts';
import { inTransaction } from './transaction.ts';

/** Numbers that would take too long to count, and when the last backup was completed. */
const TOTALS_SCHEMA = `
  -- signups: rows of email_signups, because counting a million rows takes longer than a request may. cursor_key: for the cursors of lists.
  -- pruned_until: older sessions are deleted, and only their sums are left. is_pruning: sums are not changed by what is deleted now.
  CREATE TABLE totals (
    signups INTEGER NOT NULL,
    cursor_key BLOB NOT NULL,
    pruned_until INTEGER NOT NULL DEFAULT 0,
    is_pruning INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO totals (signups, cursor_key) VALUES (0, randomblob(32));
  CREATE TRIGGER signup_added AFTER INSERT ON email_signups BEGIN UPDATE totals SET signups = signups + 1; END;
  CREATE TRIGGER signup_removed AFTER DELETE ON email_signups BEGIN UPDATE totals SET signups = signups - 1; END;
  CREATE INDEX signups_by_source ON email_signups (source);

  CREATE TABLE backups (last_backup_at INTEGER NOT NULL) STRICT;
`;

export interface Migration {
  readonly sql: string;
  /**
   * True if versions that do not know this step can still use the file, so that a release can be rolled back and two of
   * them can run in parallel. Such a step only adds tables, indexes, or columns that an INSERT may omit.
   */
  readonly additive: boolean;
}

const FIRST: Migration = {
  additive: false,
  sql: [DIALECT.translate(TABLES), TOTALS_SCHEMA, SEARCH_SCHEMA, CAMPAIGN_TRIGGERS, ANALYTICS_SCHEMA].join(''),
};

export const LATER_STEPS: readonly Migration[] = laterSchema({
  searchedFields: SEARCHED_FIELDS,
  countriesIndex: COUNTRY_INDEX,
}).map((step) => ({
  additive: true,
  sql: DIALECT.translate(step),
}));

/** Marks files with this schema or a later one. Files from before version 1 have a `user_version`, but not this id. */
const APPLICATION_ID = 0x45_41_4b_31;
const OLDEST = 1_000;

/**
 * The file's `user_version`: the number of completed steps, plus 1,000 times the newest step that a program must know.
 * Both are 0 for a file without the schema.
 */
interface Version {
  readonly steps: number;
  readonly oldest: number;
}

/**
 * Migrates the database to the newest schema. Safe if several processes start on one file at the same time. Throws for
 * a file that this version cannot use, see `requireUsableSchema`.
 */
export function migrate(db: DatabaseSync, later = LATER_STEPS): void {
  const steps = [FIRST, ...later];
  if (requireUsableSchema(db, later).steps >= steps.length) return;
  inTransaction(db, () => {
    // Read again under the write lock, because another process may have migrated in the meantime.
    const made = requireUsableSchema(db, later).steps;
    if (made >= steps.length) return;
    for (const { sql } of steps.slice(made)) db.exec(sql);
    const oldest = 1 + steps.findLastIndex(({ additive }) => !additive);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length + OLDEST * oldest}`);
  });
}

/**
 * Throws for a database from before version 1, and for one from a newer version unless all its additional steps are
 * additive. Changes nothing. Returns the version.
 */
export function requireUsableSchema(db: DatabaseSync, later = LATER_STEPS): Version {
  const version = readVersion(db);
  const latest = 1 + later.length;
  if (version.oldest > latest) {
    throw new Error(
      `it has schema version ${version.steps} and this program knows ${latest}; use the newer program, or a backup from before it`,
    );
  }
  return version;
}

/** Returns whether the database has this version's schema. Throws for one from before version 1. */
export function isNewest(db: DatabaseSync): boolean {
  return readVersion(db).steps === 1 + LATER_STEPS.length;
}

function readVersion(db: DatabaseSync): Version {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const isOurs = db.prepare('PRAGMA application_id').get()?.application_id === APPLICATION_ID;
  if (version > 0 && !isOurs) throw earlierSchema('DATA_DIR');
  return { steps: version % OLDEST, oldest: Math.floor(version / OLDEST) };
}
