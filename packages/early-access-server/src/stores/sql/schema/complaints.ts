/** A later migration that only adds to the schema. */
export const COMPLAINT_COLUMNS = `
  -- stopped_at: since when complaints pause the campaign; null if they do not. resumed_at: when an admin last resumed it after that.
  ALTER TABLE @campaigns ADD COLUMN stopped_at #bigint;
  ALTER TABLE @campaigns ADD COLUMN resumed_at #bigint;
  -- It covers the count of complaints among the emails of some days.
  CREATE INDEX mails_sent ON @mails (changed_at, complained) WHERE state = 'sent';
`;
