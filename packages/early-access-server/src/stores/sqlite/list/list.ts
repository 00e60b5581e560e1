import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { confirmResult, inviteState, renewalResult } from '../../../app/list/links.ts';
import type {
  ConfirmResult,
  ImportedPerson,
  InviteState,
  RedeemResult,
  RenewalResult,
} from '../../../app/list/list-store.ts';
import { PENDING_MS, PERSON_STATES, type PersonState, REMINDER_AFTER_MS } from '../../../app/list/states.ts';
import { firstMessageOf, type LinkPurpose } from '../../../app/mail/message-kinds.ts';
import { recordEvents } from '../../sql/events.ts';
import { toPersonOfEvent } from '../../sql/list-rows.ts';
import { queueMessages } from '../../sql/messages.ts';
import { integer, oneOf } from '../../sql/row.ts';
import type { RunTransaction } from '../run-transaction.ts';
import type { SignupTable } from '../signups.ts';
import type { PersonTable } from './person.ts';
import { tokenTable } from './tokens.ts';

/** How people move through the list; each writing function is one member of a transaction. */
export function listTable(db: DatabaseSync, signups: SignupTable, persons: PersonTable, run: RunTransaction) {
  const counts = db.prepare('SELECT state, count(*) AS people FROM email_signups GROUP BY state');
  const unreminded = db.prepare(`
    SELECT id FROM email_signups AS person WHERE state = 'pending' AND created_at <= ?
      AND NOT EXISTS (SELECT 1 FROM mails WHERE signup_id = person.id AND kind = 'reminder')
    ORDER BY created_at LIMIT ?`);
  const unconfirmed = db.prepare(
    "SELECT * FROM email_signups WHERE state = 'pending' AND created_at <= ? ORDER BY created_at LIMIT ?",
  );
  const queued = db.prepare("SELECT 1 FROM mails WHERE signup_id = ? AND state = 'queued'");
  const remove = db.prepare('DELETE FROM email_signups WHERE id = ?');
  const tokens = tokenTable(db);

  function linkOf(hash: string, purpose: LinkPurpose) {
    const link = tokens.find(hash, purpose);
    return { link, person: link === null ? null : persons.find(link.signupId) };
  }

  return {
    counts: (): ReadonlyMap<PersonState, number> =>
      new Map(counts.all().map((row) => [oneOf(row, 'state', PERSON_STATES), integer(row, 'people')])),
    confirm(hash: string, submissionId: string | null, now: number): ConfirmResult {
      const { link, person } = linkOf(hash, 'confirm');
      const result = confirmResult(link, person, submissionId, now);
      if (result !== 'confirmed' || person === null) return result;
      persons.apply(person.id, 'confirm', now);
      tokens.use(person.id, 'confirm', now);
      return result;
    },
    renewConfirmation(hash: string, now: number): RenewalResult {
      const { person } = linkOf(hash, 'confirm');
      const result = renewalResult(person);
      if (result === 'queued' && person !== null && queued.get(person.id) === undefined) {
        run(queueMessages([person.id], 'confirmation', now));
      }
      return result;
    },
    unsubscribe(hash: string, now: number): 'unsubscribed' | 'unknown' {
      const token = tokens.find(hash, 'unsubscribe');
      if (token === null) return 'unknown';
      persons.apply(token.signupId, 'unsubscribe', now);
      return 'unsubscribed';
    },
    tidyPending(limit: number, now: number): number {
      const old = unconfirmed.all(now - PENDING_MS, limit);
      for (const row of old) {
        const person = toPersonOfEvent(row);
        if (integer(row, 'was_unsubscribed') === 1) {
          persons.apply(person.id, 'unsubscribe', now);
          continue;
        }
        remove.run(person.id);
        run(recordEvents('person.erased', [person], now));
      }
      const rows = unreminded.all(now - REMINDER_AFTER_MS, limit - old.length);
      for (const row of rows) run(queueMessages([integer(row, 'id')], 'reminder', now));
      return old.length + rows.length;
    },
    checkInvite(hash: string, now: number): InviteState {
      const { link, person } = linkOf(hash, 'invite');
      return inviteState(link, person, now);
    },
    redeemInvite(hash: string, now: number): RedeemResult {
      const { link, person } = linkOf(hash, 'invite');
      const state = inviteState(link, person, now);
      if (state !== 'valid') return { result: state };
      if (person === null) return { result: 'gone' };
      persons.apply(person.id, 'redeem', now);
      tokens.use(person.id, 'invite', now);
      return { result: 'redeemed', email: person.email, id: person.publicId };
    },
    importPeople(
      people: readonly ImportedPerson[],
      { welcome }: { readonly welcome: boolean },
      now: number,
    ): readonly ('added' | 'duplicate')[] {
      return people.map(({ created_at, state, ...origin }) => {
        const signup = { ...origin, session_id: null, referrer: null, submission_id: randomUUID() };
        const id = signups.add(signup, created_at, state);
        if (id === null) return 'duplicate';
        const kind = firstMessageOf(state);
        if (welcome && kind !== null) run(queueMessages([id], kind, now));
        return 'added';
      });
    },
  };
}
