import type { DatabaseSync } from 'node:sqlite';
import type { MessageRecord } from '../../../app/mail/message.ts';

/** Writes what a decision has changed in a message. */
export function messageUpdate(db: DatabaseSync): (id: number, message: MessageRecord) => void {
  const update = db.prepare(`
    UPDATE mails SET state = ?, attempts = ?, next_attempt_at = ?, lease_until = ?, reason = ?, changed_at = ? WHERE id = ?
  `);
  return (id, { state, attempts, next_attempt_at, lease_until, reason, changed_at }) =>
    void update.run(state, attempts, next_attempt_at, lease_until || null, reason, changed_at, id);
}
