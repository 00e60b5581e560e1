/** Actions on many people, and the people still to be processed. A later, additive step. */
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
