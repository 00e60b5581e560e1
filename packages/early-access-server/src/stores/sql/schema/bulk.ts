/** Bulk actions, and the people they have not processed yet. A later migration that only adds to the schema. */
export const BULK_TABLES = `
  -- data: a BulkRecord as JSON.
  CREATE TABLE @bulk_jobs (number #bigint PRIMARY KEY, data text NOT NULL) #rows;
  -- ids: of people, as JSON; the public ones.
  CREATE TABLE @bulk_parts (
    key #key PRIMARY KEY,
    number #bigint NOT NULL,
    part #bigint NOT NULL,
    ids text NOT NULL
  ) #keyed;
`;
