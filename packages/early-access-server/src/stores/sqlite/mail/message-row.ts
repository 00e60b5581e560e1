import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { MessageRecord } from '../../../app/mail/message.ts';
import type { MessageKind } from '../../../app/mail/message-kinds.ts';

/** Writes what a decision has changed in a message. */
export function messageUpdate(db: DatabaseSync): (id: number, message: MessageRecord) => void {
  const update = db.prepare(`
    UPDATE mails SET state = ?, attempts = ?, next_attempt_at = ?, lease_until = ?, reason = ?, changed_at = ? WHERE id = ?
  `);
  return (id, { state, attempts, next_attempt_at, lease_until, reason, changed_at }) =>
    void update.run(state, attempts, next_attempt_at, lease_until || null, reason, changed_at, id);
}

/** Queues a message to a person, due now. */
export function messageInsert(db: DatabaseSync): (signupId: number | bigint, kind: MessageKind, now: number) => void {
  const insert = db.prepare(
    'INSERT INTO mails (signup_id, kind, message_key, next_attempt_at, changed_at) VALUES (?, ?, ?, ?, ?)',
  );
  return (signupId, kind, now) => void insert.run(signupId, kind, randomUUID(), now, now);
}
