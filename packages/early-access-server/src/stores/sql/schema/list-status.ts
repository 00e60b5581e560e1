/** Whether the list accepts signups, and who waits for it to open. A later migration that only adds to the schema. */
export const LIST_STATUS_TABLES = `
  -- One row at most: the status of the list, as JSON. Without it the list is open.
  CREATE TABLE @list_status (id #bigint PRIMARY KEY CHECK (id = 1), data text NOT NULL) #rows;

  -- People who wait for the list to open, in the order of their id. data: an OpeningRequest, as JSON.
  CREATE TABLE @opening_requests (id #id, email #key NOT NULL UNIQUE, created_at #bigint NOT NULL, data text NOT NULL) #rows;
`;
