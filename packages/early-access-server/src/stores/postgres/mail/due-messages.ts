import { PERSON_STATES, type PersonState } from '../../../app/list/states.ts';
import { mailboxKey, quotaHour } from '../../../app/mail/mail-quota.ts';
import type { MessageRecord } from '../../../app/mail/message.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../../app/mail/message-kinds.ts';
import { toMessage } from '../../sql/message-row.ts';
import { integer, integerOrNull, oneOf, type Row, text } from '../../sql/row.ts';
import type { Queries, Transaction } from '../connection.ts';

/** A message that this transaction has locked. */
export interface DueMessage {
  readonly id: number;
  readonly kind: MessageKind;
  readonly message: MessageRecord;
  /** Null for a notice. */
  readonly person: { readonly id: number; readonly state: PersonState; readonly mailbox: string } | null;
  readonly row: Row;
}

const OF_NO_CAMPAIGN = "state = 'queued' AND campaign_id IS NULL";
/** A message of a campaign that is not being sent waits. */
const OF_CAMPAIGNS = `state = 'queued' AND campaign_id IS NOT NULL
  AND campaign_id IN (SELECT id FROM early_access.campaigns WHERE state = 'sending')`;

/** Each of the two finds its rows by an index, in their order, however many messages wait. */
const firstDue = (which: string, until: string) => `
  SELECT * FROM early_access.mails WHERE ${which} AND next_attempt_at <= ${until} ORDER BY next_attempt_at, id`;

export const NEXT_DUE = `
  SELECT min(next_attempt_at) AS due FROM (
    (SELECT next_attempt_at FROM early_access.mails WHERE ${OF_NO_CAMPAIGN} ORDER BY next_attempt_at, id LIMIT 1)
    UNION ALL
    (SELECT next_attempt_at FROM early_access.mails WHERE ${OF_CAMPAIGNS} ORDER BY next_attempt_at, id LIMIT 1)
  ) AS first`;

/**
 * The locks let other transactions refer to the rows. What another transaction has locked is passed over, so that a claim waits neither
 * for other claims nor for the erasure of a person.
 */
export const LOCK_DUE = `
  WITH other AS (${firstDue(OF_NO_CAMPAIGN, '$1')} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED),
  of_campaigns AS (
    ${firstDue(`NOT EXISTS (SELECT FROM other) AND ${OF_CAMPAIGNS}`, '$1')} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ),
  due AS (SELECT * FROM other UNION ALL SELECT * FROM of_campaigns),
  person AS (
    SELECT id, email, state, fields FROM early_access.email_signups WHERE id = ANY(ARRAY(SELECT signup_id FROM due))
    FOR KEY SHARE SKIP LOCKED
  )
  SELECT due.*, coalesce(email, recipient) AS address, person.state AS person_state, person.fields, subject, body,
    (SELECT attempts FROM early_access.mail_hours WHERE hour = $3) AS hour_attempts
  FROM due LEFT JOIN person ON person.id = signup_id LEFT JOIN early_access.campaigns AS campaign ON campaign.id = campaign_id
  WHERE recipient IS NOT NULL OR person.id IS NOT NULL ORDER BY due.next_attempt_at, due.id`;

/** Locks the messages that have been due longest, at most `limit`, campaigns last. Returns them, and the delivery attempts of the hour. */
export async function lockDueMessages(
  tx: Transaction,
  now: number,
  limit: number,
): Promise<{ readonly due: readonly DueMessage[]; readonly hourAttempts: number }> {
  const rows = await tx.unsafe(LOCK_DUE, [now, limit, quotaHour(now)]);
  const [first] = rows;
  const due = rows.map((row) => {
    const id = integerOrNull(row, 'signup_id');
    return {
      id: integer(row, 'id'),
      kind: oneOf(row, 'kind', MESSAGE_KINDS),
      message: toMessage(row),
      person:
        id === null
          ? null
          : { id, state: oneOf(row, 'person_state', PERSON_STATES), mailbox: mailboxKey(text(row, 'address')) },
      row,
    };
  });
  return { due, hourAttempts: first === undefined ? 0 : (integerOrNull(first, 'hour_attempts') ?? 0) };
}

/** When the message is due that is due first; null if none is queued. */
export async function nextDueAt(sql: Queries): Promise<number | null> {
  const [row] = await sql.unsafe(NEXT_DUE);
  return integerOrNull(row, 'due');
}
