import { randomUUID } from 'node:crypto';
import type { MessageKind } from '../../app/mail/message-kinds.ts';
import type { MessageRecord } from '../../app/mail/message-state.ts';
import type { Notice } from '../../app/mail/notice.ts';
import { each, runUnread, type Statement, sql, type Transaction } from './statement.ts';

/** The campaign or wave that messages belong to. */
interface MessageGroup {
  readonly campaignId?: number | null;
  readonly waveId?: number | null;
}

/** Queues a message of this kind for each of the people, due now. A campaign message is queued once per person. */
export function* queueMessages(
  signupIds: readonly number[],
  kind: MessageKind,
  now: number,
  { campaignId = null, waveId = null }: MessageGroup = {},
): Transaction<void> {
  const [first] = signupIds;
  if (first === undefined) return;
  // For a single message, as in every signup on SQLite, JSON would take longer than the rest.
  if (signupIds.length === 1) {
    yield* runUnread(sql`
      INSERT INTO @mails (signup_id, message_key, kind, campaign_id, wave_id, next_attempt_at, changed_at)
      VALUES (${first}, ${randomUUID()}, ${kind}, ${campaignId}, ${waveId}, ${now}, ${now}) ON CONFLICT DO NOTHING
    `);
    return;
  }
  const messages = signupIds.map((id) => [id, randomUUID()]);
  // WHERE true, because SQLite would parse ON as the condition of a join.
  yield* runUnread(sql`
    INSERT INTO @mails (signup_id, message_key, kind, campaign_id, wave_id, next_attempt_at, changed_at)
    SELECT CAST(value ->> 0 AS bigint), value ->> 1, ${kind}, CAST(${campaignId} AS bigint), CAST(${waveId} AS bigint),
      CAST(${now} AS bigint), CAST(${now} AS bigint)
    FROM #each(${JSON.stringify(messages)}) WHERE true ON CONFLICT DO NOTHING
  `);
}

/** Queues a notice for each of these admins, due now. */
export function* queueNotices(recipients: readonly string[], notice: Notice, now: number): Transaction<void> {
  for (const recipient of recipients) {
    yield* sql`
      INSERT INTO @mails (recipient, kind, data, message_key, next_attempt_at, changed_at)
      VALUES (${recipient}, 'notice', ${JSON.stringify(notice)}, ${randomUUID()}, ${now}, ${now})
    `;
  }
}

/** Writes the results of decisions about messages. There must be at least one. */
export function saveMessages(changes: readonly { readonly id: number; readonly message: MessageRecord }[]): Statement {
  const rows = changes.map(({ id, message }) => {
    const { state, attempts, next_attempt_at, lease_until, reason, changed_at } = message;
    return [id, state, attempts, next_attempt_at, lease_until || null, reason, changed_at] as const;
  });
  const [first] = rows;
  if (first !== undefined && rows.length === 1) {
    const [id, state, attempts, next_attempt_at, lease_until, reason, changed_at] = first;
    return sql`
      UPDATE @mails SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${next_attempt_at},
        lease_until = ${lease_until}, reason = ${reason}, changed_at = ${changed_at}
      WHERE id = ${id}
    `;
  }
  return sql`
    UPDATE @mails AS stored SET state = value ->> 1, attempts = CAST(value ->> 2 AS integer),
      next_attempt_at = CAST(value ->> 3 AS bigint), lease_until = CAST(value ->> 4 AS bigint), reason = value ->> 5,
      changed_at = CAST(value ->> 6 AS bigint)
    FROM ${each(rows)} WHERE stored.id = CAST(value ->> 0 AS bigint)
  `;
}
