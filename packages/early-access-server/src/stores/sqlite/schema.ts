import type { DatabaseSync } from 'node:sqlite';
import { earlierSchema } from '../sql/earlier-schema.ts';
import { ANALYTICS_SCHEMA } from './analytics/schema.ts';
import { CAMPAIGN_SCHEMA } from './campaigns/schema.ts';
import { HUMAN_TOKEN_SCHEMA } from './human-tokens.ts';
import { LIST_SCHEMA } from './list/schema.ts';
import { MAIL_SCHEMA } from './mail/schema.ts';
import { SEARCH_SCHEMA } from './people/schema.ts';
import { inTransaction } from './transaction.ts';
import { WEBHOOKS_SCHEMA } from './webhooks/schema.ts';

const ADMIN_SCHEMA = `
  -- hash: SHA-256 of the token, in hexadecimal.
  CREATE TABLE admin_sign_in_tokens (hash TEXT PRIMARY KEY, email TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE admin_sessions (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    device TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- What admins did; contains no address of a person. session: id of the admin's session; count: people or sessions it concerned.
  -- route: what an API key was used for; null for what admins did. Each of the two is bounded by its own number of entries.
  CREATE TABLE admin_audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    action TEXT NOT NULL,
    count INTEGER NOT NULL,
    api_key TEXT,
    route TEXT
  ) STRICT;
  CREATE INDEX admin_audit_of_admins ON admin_audit (id) WHERE route IS NULL;
  CREATE INDEX admin_audit_of_api_keys ON admin_audit (id) WHERE route IS NOT NULL;

  -- signups_noticed_until: the signups until then are in notices that were sent. It means nothing while notices are off.
  CREATE TABLE admin_settings (
    email TEXT PRIMARY KEY,
    time_zone TEXT,
    weekly_email INTEGER NOT NULL,
    signup_notices TEXT NOT NULL DEFAULT 'off',
    signups_noticed_until INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  -- week: start of the last week whose email was claimed.
  CREATE TABLE admin_weekly_emails (email TEXT PRIMARY KEY, week INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- hash: SHA-256 of the key, in hexadecimal; scopes: a JSON array.
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- last_backup_at: when the last backup was completed.
  CREATE TABLE backups (last_backup_at INTEGER NOT NULL) STRICT;
`;

/** A step from one version of the schema to the next. */
export interface Migration {
  readonly sql: string;
  /**
   * Whether programs that know only the steps before can still use the file, so that a release can be rolled back and two of them can run
   * side by side: it only adds tables, indexes or columns that may be missing from an INSERT.
   */
  readonly additive: boolean;
}

/** Version 1. Times are epoch milliseconds, durations seconds, flags 0 or 1. */
const FIRST: Migration = {
  additive: false,
  sql: [
    LIST_SCHEMA,
    SEARCH_SCHEMA,
    MAIL_SCHEMA,
    CAMPAIGN_SCHEMA,
    ANALYTICS_SCHEMA,
    WEBHOOKS_SCHEMA,
    HUMAN_TOKEN_SCHEMA,
    ADMIN_SCHEMA,
  ].join(''),
};

/** The steps from version 1 to 2 and so on, in order. A published step is never edited: a change is a new step. */
const LATER_STEPS: readonly Migration[] = [];

/** Marks files with this schema or a later one. Files from before version 1 have a `user_version`, but not this. */
const APPLICATION_ID = 0x45_41_4b_31;
const OLDEST = 1_000;

/**
 * The file's `user_version`: the number of steps made, plus 1,000 times the newest step that a program has to know. Both are 0 for a file
 * without the schema.
 */
interface Version {
  readonly steps: number;
  readonly oldest: number;
}

/**
 * Brings the database to the newest schema. Safe if several processes start on one file at once. Throws for a file that this program cannot
 * use, see `requireUsableSchema`.
 */
export function migrate(db: DatabaseSync, later = LATER_STEPS): void {
  const steps = [FIRST, ...later];
  if (requireUsableSchema(db, later).steps >= steps.length) return;
  inTransaction(db, () => {
    // Read again under the write lock, because another process may have migrated meanwhile.
    const made = requireUsableSchema(db, later).steps;
    if (made >= steps.length) return;
    for (const { sql } of steps.slice(made)) db.exec(sql);
    const oldest = 1 + steps.findLastIndex(({ additive }) => !additive);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length + OLDEST * oldest}`);
  });
}

/**
 * Throws for a database from before version 1, and for one of a newer program unless all its further steps are additive. Changes nothing.
 * Returns the version.
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

/** Whether the database has the schema of this program. Throws for one from before version 1. */
export function isNewest(db: DatabaseSync): boolean {
  return readVersion(db).steps === 1 + LATER_STEPS.length;
}

function readVersion(db: DatabaseSync): Version {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const isOurs = db.prepare('PRAGMA application_id').get()?.application_id === APPLICATION_ID;
  if (version > 0 && !isOurs) throw earlierSchema('DATA_DIR');
  return { steps: version % OLDEST, oldest: Math.floor(version / OLDEST) };
}
