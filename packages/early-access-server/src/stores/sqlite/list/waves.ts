import type { DatabaseSync } from 'node:sqlite';
import type { InviteWave, NewWave } from '../../../app/list/list-store.ts';
import { toWave } from '../../sql/list-rows.ts';
import { queueMessages } from '../../sql/messages.ts';
import { integer, integerOrNull } from '../../sql/row.ts';
import type { PeopleTable } from '../people/people.ts';
import type { RunTransaction } from '../run-transaction.ts';
import type { PersonTable } from './person.ts';

/** The message that invited a person last. */
const INVITE = "SELECT max(id) FROM mails AS last WHERE last.signup_id = person.id AND kind = 'invite'";
const PROGRESS = `
  SELECT wave.id, wave.created_at, wave.people,
    count(*) FILTER (WHERE mails.state = 'sent') AS sent,
    count(*) FILTER (WHERE mails.state IN ('queued', 'sending')) AS queued,
    count(*) FILTER (WHERE mails.state IN ('failed', 'unknown')) AS failed,
    count(*) FILTER (WHERE person.state = 'joined') AS joined
  FROM invite_waves AS wave
  LEFT JOIN email_signups AS person ON wave_id = wave.id
  LEFT JOIN mails ON mails.id = (${INVITE})`;

/** Invite waves; each writing function is one member of a transaction. */
export function waveTable(db: DatabaseSync, people: PeopleTable, persons: PersonTable, run: RunTransaction) {
  const newest = db.prepare('SELECT max(id) AS id FROM invite_waves');
  const insert = db.prepare('INSERT INTO invite_waves (created_at, people) VALUES (?, ?)');
  const setPeople = db.prepare('UPDATE invite_waves SET people = people - ? WHERE id = ?');
  const setWave = db.prepare('UPDATE email_signups SET wave_id = ? WHERE id = ?');
  const find = db.prepare('SELECT id, state FROM email_signups WHERE person_id = ?');
  const progress = db.prepare(`${PROGRESS} WHERE wave.id = ?`);
  const latest = db.prepare(`${PROGRESS} GROUP BY wave.id ORDER BY wave.id DESC LIMIT ?`);
  const unsent = db.prepare(`
    SELECT mails.id AS mail, person.id FROM email_signups AS person JOIN mails ON mails.id = (${INVITE})
    WHERE wave_id = ? AND person.state = 'invited' AND mails.state = 'queued' AND attempts = 0`);
  const removeMail = db.prepare('DELETE FROM mails WHERE id = ?');

  function chosen(who: NewWave['who']): readonly number[] {
    if ('count' in who) return people.firstIds({ ...who.filter, state: 'subscribed' }, who.count);
    return who.ids
      .map((id) => find.get(id))
      .filter((row) => row?.state === 'subscribed')
      .map((row) => integer(row, 'id'));
  }

  return {
    invite({ after, who }: NewWave, now: number): InviteWave | 'outdated' | 'nobody' {
      const last = integerOrNull(newest.get(), 'id');
      if ((last === null ? null : String(last)) !== after) return 'outdated';
      const ids = chosen(who);
      if (ids.length === 0) return 'nobody';
      const { lastInsertRowid } = insert.run(now, ids.length);
      for (const id of ids) {
        persons.apply(id, 'invite', now);
        setWave.run(lastInsertRowid, id);
        run(queueMessages([id], 'invite', now));
      }
      return toWave(progress.get(lastInsertRowid));
    },
    waves: (limit: number): readonly InviteWave[] => latest.all(limit).map(toWave),
    withdraw(waveId: string, now: number): number {
      const rows = unsent.all(Number(waveId));
      for (const row of rows) {
        const id = integer(row, 'id');
        removeMail.run(integer(row, 'mail'));
        persons.apply(id, 'withdraw', now);
        setWave.run(null, id);
      }
      setPeople.run(rows.length, Number(waveId));
      return rows.length;
    },
  };
}
