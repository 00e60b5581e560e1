/** A later migration that only adds to the schema. */
export const SHARE_COLUMNS = `
  -- share_network: of a signup through a share link, see \`shareNetwork\`; null for any other.
  ALTER TABLE @email_signups ADD COLUMN share_network text;
`;
