import { quotaHour } from '../../../app/mail/mail-quota.ts';
import { type DueMessage, toDueMessage } from '../../sql/claim.ts';
import { integerOrNull } from '../../sql/row.ts';
import type { Transaction } from '../connection.ts';

const OF_NO_CAMPAIGN = "state = 'queued' AND campaign_id IS NULL";
/** A message of a campaign that is not being sent waits. */
const OF_CAMPAIGNS = `state = 'queued' AND campaign_id IS NOT NULL
  AND campaign_id IN (SELECT id FROM early_access.campaigns WHERE state = 'sending')`;

/** Each of the two finds its rows by an index, in their order, however many messages wait. */
const firstDue = (which: string, until: string) => `
  SELECT * FROM early_access.mails WHERE ${which} AND next_attempt_at <= ${until} ORDER BY next_attempt_at, id`;

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
    (SELECT attempts FROM early_access.mail_hours WHERE hour = $3) AS hour_attempts,
    (SELECT pause.data FROM early_access.mail_pause AS pause) AS pause
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
  return {
    due: rows.map(toDueMessage),
    hourAttempts: first === undefined ? 0 : (integerOrNull(first, 'hour_attempts') ?? 0),
  };
}
