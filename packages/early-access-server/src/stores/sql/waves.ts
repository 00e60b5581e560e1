import type { InviteWave, NewWave } from '../../app/ports/list-store.ts';
import { toWave } from './list-rows.ts';
import { queueMessages } from './messages.ts';
import { type PeopleSearch, selectChosen } from './people.ts';
import { changeStates } from './person.ts';
import { integer, integerOrNull, parseRowId } from './row.ts';
import { type Statement, sql, type Transaction } from './statement.ts';

/** The message that invited a `person` last. */
const INVITE = sql`SELECT max(last.id) FROM @mails AS last WHERE last.signup_id = person.id AND last.kind = 'invite'`;

/** Selects the newest waves first, with their progress. */
export function selectWaves(limit: number): Statement {
  return sql`
    SELECT wave.id, wave.created_at, wave.people,
      count(*) FILTER (WHERE mail.state = 'sent') AS sent,
      count(*) FILTER (WHERE mail.state IN ('queued', 'sending')) AS queued,
      count(*) FILTER (WHERE mail.state IN ('failed', 'unknown')) AS failed,
      count(*) FILTER (WHERE person.state = 'joined') AS joined
    FROM (SELECT * FROM @invite_waves ORDER BY id DESC LIMIT CAST(${limit} AS bigint)) AS wave
    LEFT JOIN @email_signups AS person ON person.wave_id = wave.id
    LEFT JOIN @mails AS mail ON mail.id = (${INVITE})
    GROUP BY wave.id, wave.created_at, wave.people ORDER BY wave.id DESC
  `;
}

export function* invite(
  { after, who }: NewWave,
  search: PeopleSearch,
  now: number,
): Transaction<InviteWave | 'outdated' | 'nobody'> {
  const [newest] = yield* sql`SELECT max(id) AS id FROM @invite_waves`;
  const last = integerOrNull(newest, 'id');
  if ((last === null ? null : String(last)) !== after) return 'outdated';
  const ids = (yield* selectChosen(who, 'subscribed', search)).map((row) => integer(row, 'id'));
  if (ids.length === 0) return 'nobody';
  const [wave] = yield* sql`
    INSERT INTO @invite_waves (created_at, people) VALUES (${now}, ${ids.length}) RETURNING id, created_at, people
  `;
  yield* changeStates(ids, 'invite', 'admin', now, integer(wave, 'id'));
  yield* queueMessages(ids, 'invite', now);
  return toWave({ ...wave, sent: 0, queued: ids.length, failed: 0, joined: 0 });
}

/** Takes back the invitations of a wave that no attempt was made to send, except a message that is being claimed meanwhile. */
export function* withdraw(waveId: string, now: number): Transaction<number> {
  const id = parseRowId(waveId);
  // The message's own state is checked last, because a claim may change it while this waits for the row.
  const removed = yield* sql`
    DELETE FROM @mails WHERE #unindexed state = 'queued' AND attempts = 0
      AND id IN (SELECT (${INVITE}) FROM @email_signups AS person WHERE wave_id = ${id} AND #unindexed person.state = 'invited')
    RETURNING signup_id
  `;
  const ids = removed.map((row) => integer(row, 'signup_id'));
  yield* changeStates(ids, 'withdraw', 'admin', now, null);
  yield* sql`UPDATE @invite_waves SET people = people - ${ids.length} WHERE id = ${id}`;
  return ids.length;
}
