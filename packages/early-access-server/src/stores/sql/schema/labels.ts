/** People's labels, in the format of `writeLabels`. A later migration that only adds to the schema. */
export const LABEL_COLUMNS = `
  ALTER TABLE @email_signups ADD COLUMN labels #key;
  CREATE INDEX signups_by_labels ON @email_signups (labels) WHERE labels IS NOT NULL;
`;
