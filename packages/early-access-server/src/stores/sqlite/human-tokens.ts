import type { DatabaseSync } from 'node:sqlite';
import { text } from '../sql/row.ts';

export const HUMAN_TOKEN_SCHEMA = `
  -- Tokens of human checks that were used. hash: SHA-256 of the token. purpose: SHA-256 of the submission that it was used for.
  CREATE TABLE human_tokens (hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX human_tokens_by_expiry ON human_tokens (expires_at);
`;

/** Statements on `human_tokens`; `claim` is one member of a transaction. */
export function humanTokenTable(db: DatabaseSync) {
  const find = db.prepare('SELECT purpose FROM human_tokens WHERE hash = ?');
  const add = db.prepare(
    'INSERT INTO human_tokens (hash, purpose, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const prune = db.prepare('DELETE FROM human_tokens WHERE expires_at <= ?');

  function claimedFor(hash: string): string | null {
    const row = find.get(hash);
    return row === undefined ? null : text(row, 'purpose');
  }

  return {
    claimedFor,
    claim(hash: string, purpose: string, expiresAt: number, now: number): boolean {
      prune.run(now);
      add.run(hash, purpose, expiresAt);
      return claimedFor(hash) === purpose;
    },
  };
}
