/** The labels of people, as `writeLabels` returns them. A later step: it only adds to what is there. */
export const LABEL_COLUMNS = `
  ALTER TABLE @email_signups ADD COLUMN labels #key;
  CREATE INDEX signups_by_labels ON @email_signups (labels) WHERE labels IS NOT NULL;
`;
