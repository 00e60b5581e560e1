import type { InviteWave, NewWave } from '../../app/ports/list-store.ts';
import { toWave } from './list-rows.ts';
import { queueMessages } from './messages.ts';
import { type PeopleSearch, selectChosen } from './people.ts';
import { changeStates } from './person.ts';
import { integer, integerOrNull, parseRowId } from './row.ts';
import { type Statement, sql, type Transaction } from './statement.ts';

/** Selects waves, newest first, with their progress, which is counted through indexes only. */
export function selectWaves(limit: number): Statement {
  const mails = (states: Statement) =>
    sql`(SELECT count(*) FROM @mails WHERE wave_id = wave.id AND state IN (${states}))`;
  return sql`
    SELECT id, created_at, people, ${mails(sql`'sent'`)} AS sent, ${mails(sql`'queued', 'sending'`)} AS queued,
      ${mails(sql`'failed', 'unknown'`)} AS failed,
      (SELECT count(*) FROM @email_signups WHERE wave_id = wave.id AND state = 'joined') AS joined
    FROM @invite_waves AS wave ORDER BY id DESC LIMIT CAST(${limit} AS bigint)
  `;
}

export function* invite(
  { after, who, into }: NewWave,
  search: PeopleSearch,
  now: number,
): Transaction<InviteWave | 'outdated' | 'nobody'> {
  const [newest] = yield* sql`SELECT max(id) AS id FROM @invite_waves`;
  const last = integerOrNull(newest, 'id');
  if ((last === null ? null : String(last)) !== after) return 'outdated';
  const ids = (yield* selectChosen(who, 'subscribed', search)).map((row) => integer(row, 'id'));
  if (ids.length === 0) return 'nobody';
  const [joined] =
    into === undefined
      ? []
      : yield* sql`UPDATE @invite_waves SET people = people + ${ids.length} WHERE id = ${parseRowId(into)} RETURNING *`;
  const [wave] =
    joined === undefined
      ? yield* sql`INSERT INTO @invite_waves (created_at, people) VALUES (${now}, ${ids.length}) RETURNING *`
      : [joined];
  yield* changeStates(ids, 'invite', 'admin', now, integer(wave, 'id'));
  yield* queueMessages(ids, 'invite', now, { waveId: integer(wave, 'id') });
  return toWave({ ...wave, sent: 0, queued: ids.length, failed: 0, joined: 0 });
}

/** Withdraws a wave's invitations that no attempt was made to send, except messages being claimed at the same time. */
export function* withdraw(waveId: string, now: number): Transaction<number> {
  const id = parseRowId(waveId);
  // The message's state is checked last, because a claim may change it while this statement waits for the row.
  const removed = yield* sql`
    DELETE FROM @mails WHERE wave_id = ${id} AND state = 'queued' AND attempts = 0
      AND signup_id IN (SELECT id FROM @email_signups WHERE wave_id = ${id} AND state = 'invited')
    RETURNING signup_id
  `;
  const ids = removed.map((row) => integer(row, 'signup_id'));
  yield* changeStates(ids, 'withdraw', 'admin', now, null);
  yield* sql`UPDATE @invite_waves SET people = people - ${ids.length} WHERE id = ${id}`;
  return ids.length;
}
