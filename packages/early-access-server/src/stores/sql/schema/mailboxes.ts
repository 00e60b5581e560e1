/** Each person's mailbox, by which they are recognized. A later migration that only adds to the schema. */
export const MAILBOX_COLUMNS = `
  -- mailbox: SHA-256 of it, if it is not the address itself; otherwise null. entered: a new signup of a person who has unsubscribed, as JSON,
  -- which waits to be confirmed since entered_at.
  ALTER TABLE @email_signups ADD COLUMN mailbox #key;
  ALTER TABLE @email_signups ADD COLUMN entered text;
  ALTER TABLE @email_signups ADD COLUMN entered_at #bigint;
  CREATE INDEX signups_by_mailbox ON @email_signups (mailbox) WHERE mailbox IS NOT NULL;
`;
