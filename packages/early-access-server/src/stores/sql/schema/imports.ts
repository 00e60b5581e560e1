/** Imports, and the people that each added. A later migration that only adds to the schema. */
export const IMPORT_TABLES = `
  -- name: of the file. added: how many people it has added; some may have been erased since.
  CREATE TABLE @imports (id #key PRIMARY KEY, created_at #bigint NOT NULL, name text NOT NULL, added #bigint NOT NULL) #keyed;
  CREATE INDEX imports_by_age ON @imports (created_at);
  ALTER TABLE @email_signups ADD COLUMN import_id #key;
  CREATE INDEX signups_by_import ON @email_signups (import_id, created_at#andId) WHERE import_id IS NOT NULL;
`;
