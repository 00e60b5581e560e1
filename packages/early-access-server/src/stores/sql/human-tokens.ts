import type { Clock } from '../../app/ports/clock.ts';
import type { HumanTokenStore } from '../../app/ports/human-token-store.ts';
import { text } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, sql, type Transaction } from './statement.ts';

interface HumanTokenClaim {
  readonly hash: string;
  readonly purpose: string;
  readonly expiresAt: number;
  readonly now: number;
}

export function humanTokenStore({ query, batch }: SqlDatabase, clock: Clock): HumanTokenStore {
  const claim = batch(claimTokens);
  return {
    async findClaim(hash) {
      const [row] = await query(sql`SELECT purpose FROM @human_tokens WHERE hash = ${hash}`);
      return row === undefined ? null : text(row, 'purpose');
    },
    claim: (hash, purpose, expiresAt) => claim({ hash, purpose, expiresAt, now: clock() }),
  };
}

/**
 * Claims tokens, and returns which claims succeeded. If a token is claimed several times, the first claim wins. Deletes
 * expired tokens.
 */
function* claimTokens(claims: readonly HumanTokenClaim[]): Transaction<readonly boolean[]> {
  yield* sql`DELETE FROM @human_tokens WHERE expires_at <= ${claims[0]?.now ?? 0}`;
  const tokens = claims.map(({ hash, purpose, expiresAt }) => [hash, purpose, expiresAt]);
  yield* sql`
    INSERT INTO @human_tokens (hash, purpose, expires_at)
    SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS bigint) FROM #each(${JSON.stringify(tokens)}) WHERE true
    ON CONFLICT DO NOTHING
  `;
  const stored = yield* sql`
    SELECT hash, purpose FROM @human_tokens WHERE hash IN (${list(claims.map(({ hash }) => hash))})
  `;
  const purposes = new Map(stored.map((row) => [text(row, 'hash'), text(row, 'purpose')]));
  return claims.map(({ hash, purpose }) => purposes.get(hash) === purpose);
}
