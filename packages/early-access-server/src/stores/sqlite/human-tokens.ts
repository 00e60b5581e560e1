export const HUMAN_TOKEN_SCHEMA = `
  -- Tokens of human checks that were used. hash: SHA-256 of the token. purpose: SHA-256 of the submission that it was used for.
  CREATE TABLE human_tokens (hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX human_tokens_by_expiry ON human_tokens (expires_at);
`;
