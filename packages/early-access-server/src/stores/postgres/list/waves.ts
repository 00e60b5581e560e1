import type { InviteWave, NewWave } from '../../../app/list/list-store.ts';
import { isPersonId } from '../../../app/list/person-id.ts';
import { toWave } from '../../sql/list-rows.ts';
import { queueMessages } from '../../sql/messages.ts';
import { integer, integerOrNull, rowIdOf } from '../../sql/row.ts';
import type { Queries, Transaction } from '../connection.ts';
import { peopleCondition } from '../people/condition.ts';
import { runTransaction } from '../run-transaction.ts';
import { changeStates } from './person.ts';

/** The newest waves first, with their progress. */
export async function readWaves(sql: Queries, limit: number): Promise<readonly InviteWave[]> {
  const rows = await sql`
    SELECT wave.id, wave.created_at, wave.people,
      count(*) FILTER (WHERE mail.state = 'sent') AS sent,
      count(*) FILTER (WHERE mail.state IN ('queued', 'sending')) AS queued,
      count(*) FILTER (WHERE mail.state IN ('failed', 'unknown')) AS failed,
      count(*) FILTER (WHERE person.state = 'joined') AS joined
    FROM (SELECT * FROM early_access.invite_waves ORDER BY id DESC LIMIT ${limit}) AS wave
    LEFT JOIN early_access.email_signups AS person ON wave_id = wave.id
    LEFT JOIN LATERAL (
      SELECT state FROM early_access.mails WHERE signup_id = person.id AND kind = 'invite' ORDER BY id DESC LIMIT 1
    ) AS mail ON true
    GROUP BY wave.id, wave.created_at, wave.people ORDER BY wave.id DESC
  `;
  return rows.map(toWave);
}

/** One member of a transaction that holds the writers' lock. */
export async function invite(
  tx: Transaction,
  { after, who }: NewWave,
  now: number,
): Promise<InviteWave | 'outdated' | 'nobody'> {
  const [newest] = await tx`SELECT max(id) AS id FROM early_access.invite_waves`;
  const last = integerOrNull(newest, 'id');
  if ((last === null ? null : String(last)) !== after) return 'outdated';
  const ids = await chosen(tx, who);
  if (ids.length === 0) return 'nobody';
  const [wave] = await tx`
    INSERT INTO early_access.invite_waves (created_at, people) VALUES (${now}, ${ids.length}) RETURNING *
  `;
  await changeStates(tx, ids, 'invite', now, integer(wave, 'id'));
  await runTransaction(tx, queueMessages(ids, 'invite', now));
  return toWave({ ...wave, sent: 0, queued: ids.length, failed: 0, joined: 0 });
}

/** The rows of those to invite, oldest first. */
async function chosen(tx: Transaction, who: NewWave['who']): Promise<readonly number[]> {
  const rows =
    'count' in who
      ? await tx`
          SELECT signup.id FROM early_access.email_signups AS signup
          WHERE ${peopleCondition(tx, { ...who.filter, state: 'subscribed' })} ORDER BY created_at, id LIMIT ${who.count}
        `
      : await tx`
          SELECT id FROM early_access.email_signups
          WHERE state = 'subscribed' AND person_id = ANY(${who.ids.filter(isPersonId)}::text[]) ORDER BY created_at, id
        `;
  return rows.map((row) => integer(row, 'id'));
}

/** Takes back the invitations of a wave that no attempt was made to send; a message that is being claimed meanwhile stays. */
export async function withdraw(tx: Transaction, waveId: string, now: number): Promise<number> {
  const id = rowIdOf(waveId);
  const rows = await tx`
    DELETE FROM early_access.mails USING early_access.email_signups AS person
    WHERE wave_id = ${id} AND person.state = 'invited' AND mails.state = 'queued' AND attempts = 0
      AND mails.signup_id = person.id AND mails.id = (
        SELECT max(last.id) FROM early_access.mails AS last WHERE last.signup_id = person.id AND last.kind = 'invite'
      )
    RETURNING person.id
  `;
  const ids = rows.map((row) => integer(row, 'id'));
  await changeStates(tx, ids, 'withdraw', now, null);
  await tx`UPDATE early_access.invite_waves SET people = people - ${ids.length}::bigint WHERE id = ${id}`;
  return ids.length;
}
