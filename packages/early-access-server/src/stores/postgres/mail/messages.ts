import { randomUUID } from 'node:crypto';
import type { MessageRecord } from '../../../app/mail/message.ts';
import type { MessageKind } from '../../../app/mail/message-kinds.ts';
import type { Transaction } from '../connection.ts';

/** Queues a message of this kind to each of the people, due now. */
export async function queueMessages(
  tx: Transaction,
  signupIds: readonly number[],
  kind: MessageKind,
  now: number,
): Promise<void> {
  if (signupIds.length === 0) return;
  const keys = signupIds.map(() => randomUUID());
  await tx`
    INSERT INTO early_access.mails (signup_id, message_key, kind, next_attempt_at, changed_at)
    SELECT signup_id, message_key, ${kind}, ${now}::bigint, ${now}::bigint
    FROM unnest(${[...signupIds]}::bigint[], ${keys}::text[]) AS new (signup_id, message_key)
  `;
}

/** Writes what a decision has changed in a message. */
export async function updateMessage(tx: Transaction, id: number, message: MessageRecord): Promise<void> {
  const { state, attempts, next_attempt_at, lease_until, reason, changed_at } = message;
  await tx`
    UPDATE early_access.mails SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${next_attempt_at},
      lease_until = ${lease_until || null}, reason = ${reason}, changed_at = ${changed_at} WHERE id = ${id}
  `;
}
