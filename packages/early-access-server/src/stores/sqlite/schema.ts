import type { DatabaseSync } from 'node:sqlite';
import { newPersonId } from '../../app/list/person-id.ts';
import { ANALYTICS_SCHEMA, COUNTED_SIGNUP_SCHEMA, SUMMED_SESSION_SCHEMA, TALLY_SCHEMA } from './analytics/schema.ts';
import { CAMPAIGN_SCHEMA } from './campaigns/schema.ts';
import { HUMAN_TOKEN_SCHEMA } from './human-tokens.ts';
import { LIST_SCHEMA } from './list/schema.ts';
import { PEOPLE_SCHEMA, UNSEARCHED_SCHEMA } from './people/schema.ts';
import { renormalizeEmails } from './renormalize.ts';
import { inTransaction } from './transaction.ts';
import { WEBHOOKS_SCHEMA } from './webhooks/schema.ts';

/** A step from one version of the schema to the next. */
export interface Migration {
  readonly sql: string;
  /** What SQL alone cannot do. Runs after `sql`, in the same transaction, and only on a file that existed before. */
  readonly convert?: (db: DatabaseSync) => void;
  /**
   * Whether programs that know only the steps before can go on with the file, so that a release can be rolled back and two of them
   * can run side by side: it only adds tables, indexes or columns that may be missing from an INSERT.
   */
  readonly additive: boolean;
}

/**
 * The steps from schema version n to n + 1, in order. A published step is never edited: a change is a new step.
 * Times are epoch milliseconds, durations seconds, flags 0 or 1.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    additive: false,
    sql: `
  CREATE TABLE email_signups (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    session_id TEXT,
    source TEXT NOT NULL,
    referrer TEXT,
    submission_id TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  -- Counting a million rows takes longer than a request may; triggers keep the number right whoever inserts or deletes.
  CREATE TABLE signup_count (signups INTEGER NOT NULL) STRICT;
  INSERT INTO signup_count VALUES (0);
  CREATE TRIGGER signup_added AFTER INSERT ON email_signups BEGIN UPDATE signup_count SET signups = signups + 1; END;
  CREATE TRIGGER signup_removed AFTER DELETE ON email_signups BEGIN UPDATE signup_count SET signups = signups - 1; END;

  CREATE TABLE mails (
    signup_id INTEGER PRIMARY KEY REFERENCES email_signups (id) ON DELETE CASCADE,
    message_key TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    lease_until INTEGER,
    changed_at INTEGER NOT NULL,
    reason TEXT
  ) STRICT;
  CREATE INDEX mails_queued ON mails (next_attempt_at) WHERE state = 'queued';
  CREATE INDEX mails_sending ON mails (lease_until) WHERE state = 'sending';

  CREATE TABLE sessions (
    id TEXT NOT NULL UNIQUE,
    visitor_id TEXT NOT NULL,
    session_start INTEGER NOT NULL,
    session_end INTEGER,
    page_count INTEGER NOT NULL,
    total_duration INTEGER NOT NULL,
    referrer TEXT,
    user_agent TEXT NOT NULL,
    device_type TEXT NOT NULL,
    browser TEXT NOT NULL,
    os TEXT NOT NULL,
    is_returning_visitor INTEGER NOT NULL,
    total_sessions INTEGER NOT NULL,
    max_scroll_depth INTEGER NOT NULL,
    click_count INTEGER NOT NULL,
    is_bounce INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_start ON sessions (session_start);

  -- hour: whole hours since the epoch. Sums over the sessions that started in it, and the visitors whose last_seen is in it:
  -- each visitor is in one hour, so that the visitors of several hours can be added up.
  CREATE TABLE session_hours (
    hour INTEGER PRIMARY KEY,
    sessions INTEGER NOT NULL,
    bounces INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    timed_sessions INTEGER NOT NULL,
    visitors INTEGER NOT NULL
  ) STRICT;

  -- last_seen: the latest session_start of the visitor.
  CREATE TABLE visitors (visitor_id TEXT PRIMARY KEY, last_seen INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX visitors_by_last_seen ON visitors (last_seen);
  `,
  },
  {
    additive: true,
    sql: `
  -- Where a sign-up came from. Null where that is not known.
  ALTER TABLE email_signups ADD COLUMN page_url TEXT;
  ALTER TABLE email_signups ADD COLUMN utm_source TEXT;
  ALTER TABLE email_signups ADD COLUMN utm_medium TEXT;
  ALTER TABLE email_signups ADD COLUMN utm_campaign TEXT;
  ALTER TABLE email_signups ADD COLUMN utm_term TEXT;
  ALTER TABLE email_signups ADD COLUMN utm_content TEXT;
  `,
  },
  {
    additive: true,
    sql: `
  -- Hashes of the ids of erased sessions, so that a page that is still open does not store its session again.
  CREATE TABLE erased_sessions (id_hash TEXT PRIMARY KEY, erased_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX erased_sessions_by_time ON erased_sessions (erased_at);

  -- Work on the whole file that cannot be part of a transaction. A row is deleted when its task is done.
  CREATE TABLE pending_tasks (task TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
    convert(db) {
      renormalizeEmails(db);
      // Earlier releases moved rows between pages without overwriting the old bytes.
      db.exec("INSERT INTO pending_tasks VALUES ('rewrite-file')");
    },
  },
  {
    additive: true,
    sql: `
  -- mailbox: SHA-256 of the mailbox, null until the message is first looked at; attempted_at: when its last attempt began.
  ALTER TABLE mails ADD COLUMN mailbox TEXT;
  ALTER TABLE mails ADD COLUMN attempted_at INTEGER;
  CREATE INDEX mails_attempted ON mails (mailbox, attempted_at) WHERE attempted_at IS NOT NULL;
  CREATE INDEX mails_planned ON mails (mailbox, next_attempt_at) WHERE state = 'queued';

  -- hour: when it starts, in epoch milliseconds; attempts: deliveries begun in it.
  CREATE TABLE mail_hours (hour INTEGER PRIMARY KEY, attempts INTEGER NOT NULL) STRICT;
  `,
  },
  {
    additive: true,
    sql: `
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
  CREATE TABLE admin_audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    action TEXT NOT NULL,
    count INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE admin_settings (email TEXT PRIMARY KEY, time_zone TEXT, weekly_email INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- week: start of the last week whose email was claimed.
  CREATE TABLE admin_weekly_emails (email TEXT PRIMARY KEY, week INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- last_backup_at: when the last backup was completed.
  CREATE TABLE backups (last_backup_at INTEGER NOT NULL) STRICT;
  `,
  },
  { additive: true, sql: ANALYTICS_SCHEMA },
  { additive: true, sql: PEOPLE_SCHEMA },
  { additive: true, sql: WEBHOOKS_SCHEMA },
  { additive: false, sql: LIST_SCHEMA },
  { additive: true, sql: CAMPAIGN_SCHEMA },
  {
    additive: true,
    sql: `
  -- signups_noticed_until: the signups until then are in notices that were sent. Of no meaning while they are off.
  ALTER TABLE admin_settings ADD COLUMN signup_notices TEXT NOT NULL DEFAULT 'off';
  ALTER TABLE admin_settings ADD COLUMN signups_noticed_until INTEGER NOT NULL DEFAULT 0;
  `,
  },
  {
    additive: true,
    sql: `
  -- hash: SHA-256 of the key, in hexadecimal; scopes: a JSON array.
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- route: what an API key was used for; null for what admins did. Each of the two is bounded by its own number of entries.
  ALTER TABLE admin_audit ADD COLUMN api_key TEXT;
  ALTER TABLE admin_audit ADD COLUMN route TEXT;
  CREATE INDEX admin_audit_of_admins ON admin_audit (id) WHERE route IS NULL;
  CREATE INDEX admin_audit_of_api_keys ON admin_audit (id) WHERE route IS NOT NULL;
  `,
  },
  {
    additive: true,
    sql: `
  -- The values of the host's own fields, as JSON. Null if there are none.
  ALTER TABLE email_signups ADD COLUMN fields TEXT;
  `,
  },
  { additive: true, sql: TALLY_SCHEMA + HUMAN_TOKEN_SCHEMA },
  { additive: false, sql: UNSEARCHED_SCHEMA + COUNTED_SIGNUP_SCHEMA },
  { additive: true, sql: SUMMED_SESSION_SCHEMA },
  {
    additive: false,
    sql: `
  -- person_id: the public id, random. was_unsubscribed: whether the person had unsubscribed before this signup.
  ALTER TABLE email_signups ADD COLUMN person_id TEXT;
  ALTER TABLE email_signups ADD COLUMN was_unsubscribed INTEGER NOT NULL DEFAULT 0;
  CREATE UNIQUE INDEX signups_by_person ON email_signups (person_id);

  -- When a message to a mailbox was last attempted. Outlives the message and its person for as long as it counts for the mailbox.
  -- mailbox: SHA-256 of it.
  CREATE TABLE mailbox_attempts (message_key TEXT PRIMARY KEY, mailbox TEXT NOT NULL, attempted_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO mailbox_attempts SELECT message_key, mailbox, attempted_at FROM mails
    WHERE mailbox IS NOT NULL AND attempted_at IS NOT NULL;
  CREATE INDEX mailbox_attempts_by_mailbox ON mailbox_attempts (mailbox, attempted_at);
  CREATE INDEX mailbox_attempts_by_time ON mailbox_attempts (attempted_at);
  DROP INDEX mails_attempted;
  ALTER TABLE mails DROP COLUMN attempted_at;
  `,
    convert(db) {
      db.function('new_person_id', newPersonId);
      db.exec('UPDATE email_signups SET person_id = new_person_id()');
    },
  },
];

/** The file's `user_version`: the number of steps made, plus 1,000 times the newest step that a program has to know. */
interface Version {
  readonly steps: number;
  readonly oldest: number;
}
const OLDEST = 1_000;

/**
 * Brings the database to the newest schema. Safe if several processes start on one file at once. A newer file is left as it is if all
 * its further steps are additive. Throws for any other newer file.
 */
export function migrate(db: DatabaseSync, migrations = MIGRATIONS): void {
  const latest = migrations.length;
  if (versionOf(db).steps === latest) return;
  inTransaction(db, () => {
    // Read again under the write lock: another process may have migrated meanwhile.
    const { steps, oldest } = versionOf(db);
    if (oldest > latest) {
      throw new Error(
        `it has schema version ${steps} and this program knows ${latest}; use the newer program, or a backup from before it`,
      );
    }
    if (steps >= latest) return;
    for (const { sql, convert } of migrations.slice(steps)) {
      db.exec(sql);
      if (steps > 0) convert?.(db);
    }
    db.exec(`PRAGMA user_version = ${latest + OLDEST * (1 + migrations.findLastIndex(({ additive }) => !additive))}`);
  });
}

/** Whether the database has the schema of this program. */
export function isNewest(db: DatabaseSync): boolean {
  return versionOf(db).steps === MIGRATIONS.length;
}

function versionOf(db: DatabaseSync): Version {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const steps = version % OLDEST;
  // Written before the thousands were introduced: nothing is known about its steps.
  return { steps, oldest: Math.floor(version / OLDEST) || steps };
}
