/** Single rows with information about the database. */
export const DATABASE_TABLES = `
  CREATE SCHEMA IF NOT EXISTS early_access;
  CREATE EXTENSION IF NOT EXISTS pg_trgm;

  -- version: the number of steps made.
  CREATE TABLE early_access.schema_steps (version integer NOT NULL);
  INSERT INTO early_access.schema_steps VALUES (0);

  -- signups: rows of email_signups, because counting a million rows takes longer than a request may. cursor_key: for the cursors of lists;
  -- a copy has that of its source, which it is known by. copied_from: the kind of the source. copied_at: when the copy was complete.
  -- pruned_until: older sessions are deleted, and only their sums are left. is_pruning: sums are not changed by what is deleted now.
  CREATE TABLE early_access.totals (
    signups bigint NOT NULL,
    cursor_key bytea NOT NULL,
    copied_from text,
    copied_at bigint,
    pruned_until bigint NOT NULL DEFAULT 0,
    is_pruning integer NOT NULL DEFAULT 0
  );
  INSERT INTO early_access.totals (signups, cursor_key)
    SELECT 0, decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
`;

/** Indexes of `email_signups` that only Postgres has. */
export const SIGNUP_INDEXES = `
  CREATE INDEX signups_by_source ON early_access.email_signups (source, created_at, id);
  -- Every three characters in a row of an address, so that a search reads what matches only.
  CREATE INDEX signups_by_part ON early_access.email_signups USING gin (email gin_trgm_ops);
`;

/** A later step: searches also find field values. */
export const FIELDS_INDEX = `
  CREATE INDEX signups_by_entered_part ON early_access.email_signups USING gin (lower(fields COLLATE "C") gin_trgm_ops)
    WHERE fields IS NOT NULL;
`;
