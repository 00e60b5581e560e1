import type { MessageRecord } from '../../../app/mail/message.ts';
import type { Transaction } from '../connection.ts';

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
