/** A later migration that only adds to the schema. */
export const WEBHOOK_NAMES = `
  -- name: as the admin gave it, or the host of the URL; null in rows of an older program.
  ALTER TABLE @webhooks ADD COLUMN name text;
`;
