import { type Statement, sql } from '../../sql/statement.ts';

const OF_NO_CAMPAIGN = sql`state = 'queued' AND campaign_id IS NULL`;
/** Messages of campaigns that are not being sent have to wait. */
const OF_CAMPAIGNS = sql`state = 'queued' AND campaign_id IS NOT NULL
  AND campaign_id IN (SELECT id FROM @campaigns WHERE state = 'sending')`;

/**
 * Selects and locks the messages that have been due longest, at most `limit`, campaigns last. The locks do not prevent
 * other transactions from referring to the rows. `onlyId` selects a single message. Skips rows locked by other
 * transactions, so that a claim waits neither for other claims nor for a person's erasure.
 */
export function selectDue(now: number, limit: number, onlyId: number | null = null): Statement {
  /** Both parts read their rows in index order, regardless of the size of the queue. */
  const only = onlyId === null ? sql`` : sql`AND id = ${onlyId}`;
  const firstDue = (which: Statement) => sql`
    SELECT * FROM @mails WHERE ${which} AND next_attempt_at <= ${now} ${only} ORDER BY next_attempt_at, id
    LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
  `;
  return sql`
    WITH other AS (${firstDue(OF_NO_CAMPAIGN)}),
    of_campaigns AS (${firstDue(sql`NOT EXISTS (SELECT FROM other) AND ${OF_CAMPAIGNS}`)}),
    due AS (SELECT * FROM other UNION ALL SELECT * FROM of_campaigns),
    person AS (
      SELECT id, email, state, fields, confirmed_at, language, entered FROM @email_signups WHERE id = ANY(ARRAY(SELECT signup_id FROM due)) FOR KEY SHARE SKIP LOCKED
    )
    SELECT due.*, coalesce(recipient, email) AS address, person.state AS person_state, person.fields, person.confirmed_at,
      person.language, person.entered, subject, body, (SELECT pause.data FROM @mail_pause AS pause) AS pause
    FROM due LEFT JOIN person ON person.id = signup_id LEFT JOIN @campaigns AS campaign ON campaign.id = campaign_id
    WHERE signup_id IS NULL OR person.id IS NOT NULL ORDER BY due.next_attempt_at, due.id
  `;
}
