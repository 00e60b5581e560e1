/** A later migration that only adds to the schema. */
export const AUDIT_FILTERS = `
  -- filter: whom an action on many was about, in words; null if it was everyone, or was not about many.
  ALTER TABLE @admin_audit ADD COLUMN filter text;
`;
