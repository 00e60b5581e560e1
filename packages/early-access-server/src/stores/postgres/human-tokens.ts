import { text } from '../sql/row.ts';
import type { Queries, Transaction } from './connection.ts';

export const HUMAN_TOKEN_TABLES = `
  -- Tokens of human checks that were used. hash: SHA-256 of the token. purpose: SHA-256 of the submission that it was used for.
  CREATE TABLE early_access.human_tokens (hash text COLLATE "C" PRIMARY KEY, purpose text NOT NULL, expires_at bigint NOT NULL);
  CREATE INDEX human_tokens_by_expiry ON early_access.human_tokens (expires_at);
`;

interface HumanTokenClaim {
  readonly hash: string;
  readonly purpose: string;
  readonly expiresAt: number;
  readonly now: number;
}

export async function claimedFor(sql: Queries, hash: string): Promise<string | null> {
  const [row] = await sql`SELECT purpose FROM early_access.human_tokens WHERE hash = ${hash}`;
  return row === undefined ? null : text(row, 'purpose');
}

/** Claims tokens, of several claims of one token the first, and returns which claims hold. Removes those that have expired. */
export async function claimHumanTokens(
  tx: Transaction,
  claims: readonly HumanTokenClaim[],
): Promise<readonly boolean[]> {
  const hashes = claims.map(({ hash }) => hash);
  await tx`DELETE FROM early_access.human_tokens WHERE expires_at <= ${claims[0]?.now ?? 0}`;
  await tx`
    INSERT INTO early_access.human_tokens (hash, purpose, expires_at)
    SELECT * FROM unnest(
      ${hashes}::text[], ${claims.map(({ purpose }) => purpose)}::text[], ${claims.map(({ expiresAt }) => expiresAt)}::bigint[]
    ) ON CONFLICT DO NOTHING
  `;
  const rows = await tx`SELECT hash, purpose FROM early_access.human_tokens WHERE hash = ANY(${hashes}::text[])`;
  const purposes = new Map(rows.map((row) => [text(row, 'hash'), text(row, 'purpose')]));
  return claims.map(({ hash, purpose }) => purposes.get(hash) === purpose);
}
