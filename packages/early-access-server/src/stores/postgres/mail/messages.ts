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

/** What a decision has made of a message. */
export interface MessageChange {
  readonly id: number;
  readonly message: MessageRecord;
  /** Hash of its mailbox; what is stored stays if it is not given. */
  readonly mailbox?: string | null;
}

/** Writes what decisions have changed in messages. */
export async function updateMessages(tx: Transaction, changes: readonly MessageChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ id, message, mailbox = null }) => ({
    ...message,
    lease_until: message.lease_until || null,
    id,
    mailbox,
  }));
  await tx`
    UPDATE early_access.mails AS stored SET state = changed.state, attempts = changed.attempts,
      next_attempt_at = changed.next_attempt_at, lease_until = changed.lease_until, reason = changed.reason,
      changed_at = changed.changed_at, mailbox = coalesce(changed.mailbox, stored.mailbox)
    FROM jsonb_populate_recordset(NULL::early_access.mails, ${tx.json(rows)}) AS changed WHERE stored.id = changed.id
  `;
}

export async function removeMessages(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx`DELETE FROM early_access.mails WHERE id = ANY(${[...ids]}::bigint[])`;
}
