import type { DatabaseSync } from 'node:sqlite';
import { type LinkPurpose, linkExpiry, linksOf, type MessageKind } from '../../../app/mail/message-kinds.ts';
import { hashToken, newToken } from '../../../app/tokens.ts';
import type { MessageTokens } from '../../store.ts';
import { integer, integerOrNull } from '../row.ts';

/** A link that was sent to a person. */
export interface StoredToken {
  readonly signupId: number;
  readonly expiresAt: number;
  readonly isUsed: boolean;
}

/** Statements on `person_tokens`, the links in emails. Each writing function is one member of a transaction. */
export function tokenTable(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO person_tokens (hash, signup_id, purpose, expires_at) VALUES (?, ?, ?, ?)');
  const find = db.prepare('SELECT * FROM person_tokens WHERE hash = ? AND purpose = ?');
  const use = db.prepare(
    'UPDATE person_tokens SET used_at = ? WHERE signup_id = ? AND purpose = ? AND used_at IS NULL',
  );
  return {
    /** Makes the tokens of an attempt to send a message, and stores their hashes. */
    create(signupId: number | null, kind: MessageKind, now: number): MessageTokens {
      const tokens: { link: string | null; unsubscribe: string | null } = { link: null, unsubscribe: null };
      if (signupId === null) return tokens;
      for (const purpose of linksOf(kind)) {
        const token = newToken();
        insert.run(hashToken(token), signupId, purpose, linkExpiry(purpose, now));
        tokens[purpose === 'unsubscribe' ? 'unsubscribe' : 'link'] = token;
      }
      return tokens;
    },
    find(hash: string, purpose: LinkPurpose): StoredToken | null {
      const row = find.get(hash, purpose);
      if (row === undefined) return null;
      return {
        signupId: integer(row, 'signup_id'),
        expiresAt: integer(row, 'expires_at'),
        isUsed: integerOrNull(row, 'used_at') !== null,
      };
    },
    /** Uses up all of the person's links of this purpose. */
    use: (signupId: number, purpose: LinkPurpose, now: number) => void use.run(now, signupId, purpose),
  };
}
