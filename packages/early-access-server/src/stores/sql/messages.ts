import { randomUUID } from 'node:crypto';
import type { MessageKind } from '../../app/mail/message-kinds.ts';
import type { MessageRecord } from '../../app/mail/message-state.ts';
import { sql, type Transaction } from './statement.ts';

/** Queues a message of this kind to each of the people, due now. `campaignId`: the campaign that it belongs to, once a person. */
export function* queueMessages(
  signupIds: readonly number[],
  kind: MessageKind,
  now: number,
  campaignId: number | null = null,
): Transaction<void> {
  const [first] = signupIds;
  if (first === undefined) return;
  // JSON takes longer than the rest of a single one, such as that of each signup on SQLite.
  if (signupIds.length === 1) {
    yield* sql`
      INSERT INTO @mails (signup_id, message_key, kind, campaign_id, next_attempt_at, changed_at)
      VALUES (${first}, ${randomUUID()}, ${kind}, ${campaignId}, ${now}, ${now}) ON CONFLICT DO NOTHING
    `;
    return;
  }
  const messages = signupIds.map((id) => [id, randomUUID()]);
  // WHERE true, because SQLite takes the ON of a bare SELECT for the condition of a join.
  yield* sql`
    INSERT INTO @mails (signup_id, message_key, kind, campaign_id, next_attempt_at, changed_at)
    SELECT CAST(value ->> 0 AS bigint), value ->> 1, ${kind}, CAST(${campaignId} AS bigint), CAST(${now} AS bigint), CAST(${now} AS bigint)
    FROM #each(${JSON.stringify(messages)}) WHERE true ON CONFLICT DO NOTHING
  `;
}

/** Writes the changes of a decision about a message. */
export function* saveMessage(id: number, message: MessageRecord): Transaction<void> {
  const { state, attempts, next_attempt_at, lease_until, reason, changed_at } = message;
  yield* sql`
    UPDATE @mails SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${next_attempt_at},
      lease_until = ${lease_until || null}, reason = ${reason}, changed_at = ${changed_at}
    WHERE id = ${id}
  `;
}
