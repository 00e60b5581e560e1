import type { DatabaseSync } from 'node:sqlite';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { integer, text } from '../sql/row.ts';

/** From least to most progress. When two messages are merged, the later state wins, so that no one receives it twice. */
const MAIL_STATE_ORDER = ['failed', 'queued', 'sending', 'unknown', 'sent'];

/**
 * Brings stored addresses to today's normal form. If two signups turn out to be the same address, the older one stays and
 * takes over the message whose delivery got further. One member of a transaction.
 */
export function renormalizeEmails(db: DatabaseSync): void {
  const all = db.prepare('SELECT id, email FROM email_signups ORDER BY id');
  const find = db.prepare('SELECT id FROM email_signups WHERE email = ?');
  const rename = db.prepare('UPDATE email_signups SET email = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM email_signups WHERE id = ?');
  const stateOf = db.prepare('SELECT state FROM mails WHERE signup_id = ?');
  const removeMail = db.prepare('DELETE FROM mails WHERE signup_id = ?');
  const moveMail = db.prepare('UPDATE mails SET signup_id = ? WHERE signup_id = ?');

  function mailRank(id: number): number {
    const row = stateOf.get(id);
    return row === undefined ? -1 : MAIL_STATE_ORDER.indexOf(text(row, 'state'));
  }

  function merge(older: number, newer: number): void {
    if (mailRank(newer) > mailRank(older)) {
      removeMail.run(older);
      moveMail.run(older, newer);
    }
    remove.run(newer);
  }

  const changed: { id: number; normal: string }[] = [];
  for (const row of all.iterate()) {
    const email = text(row, 'email');
    const normal = normalizeEmail(email);
    if (normal !== email && isValidEmail(normal)) changed.push({ id: integer(row, 'id'), normal });
  }
  for (const { id, normal } of changed) {
    const row = find.get(normal);
    if (row === undefined) {
      rename.run(normal, id);
      continue;
    }
    const other = integer(row, 'id');
    merge(Math.min(id, other), Math.max(id, other));
    rename.run(normal, Math.min(id, other));
  }
}
