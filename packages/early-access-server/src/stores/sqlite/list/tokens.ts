import type { DatabaseSync } from 'node:sqlite';
import { linksToStore, newTokens } from '../../../app/list/links.ts';
import type { LinkPurpose, MessageKind } from '../../../app/mail/message-kinds.ts';
import { type StoredToken, toStoredToken } from '../../sql/list-rows.ts';
import type { MessageTokens } from '../../store.ts';

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
      const tokens = newTokens(kind);
      for (const { hash, purpose, expiresAt } of linksToStore(tokens, kind, now)) {
        insert.run(hash, signupId, purpose, expiresAt);
      }
      return tokens;
    },
    find(hash: string, purpose: LinkPurpose): StoredToken | null {
      const row = find.get(hash, purpose);
      return row === undefined ? null : toStoredToken(row);
    },
    /** Uses up all of the person's links of this purpose. */
    use: (signupId: number, purpose: LinkPurpose, now: number) => void use.run(now, signupId, purpose),
  };
}
