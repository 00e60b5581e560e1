export const HUMAN_TOKEN_TABLES = `
  -- Tokens of human checks that were used. hash: SHA-256 of the token. purpose: SHA-256 of the submission that it was used for.
  CREATE TABLE early_access.human_tokens (hash text COLLATE "C" PRIMARY KEY, purpose text NOT NULL, expires_at bigint NOT NULL);
  CREATE INDEX human_tokens_by_expiry ON early_access.human_tokens (expires_at);
`;
