import { randomUUID } from 'node:crypto';
import { confirmResult, inviteState, renewalResult } from '../../../app/list/links.ts';
import type {
  ConfirmResult,
  ImportedPerson,
  ListStore,
  RedeemResult,
  RenewalResult,
} from '../../../app/list/list-store.ts';
import { PENDING_MS, PERSON_STATES, REMINDER_AFTER_MS } from '../../../app/list/states.ts';
import { firstMessageOf, type LinkPurpose } from '../../../app/mail/message-kinds.ts';
import type { Clock } from '../../../app/ports.ts';
import { recordEvents } from '../../sql/events.ts';
import { toPersonOfEvent, toPersonRow, toStoredToken } from '../../sql/list-rows.ts';
import { queueMessages } from '../../sql/messages.ts';
import { integer, oneOf, type Row, text } from '../../sql/row.ts';
import type { Queries, Transaction } from '../connection.ts';
import type { Database } from '../database.ts';
import { runTransaction } from '../run-transaction.ts';
import { insertSignups } from '../signups.ts';
import { changeState, changeStates } from './person.ts';
import { markTokensUsed } from './tokens.ts';
import { invite, readWaves, withdraw } from './waves.ts';

/** How people move through the list. */
export function postgresList(database: Database, clock: Clock): ListStore {
  return {
    counts: () =>
      database.read(async (sql) => {
        const rows = await sql`SELECT state, count(*) AS people FROM early_access.email_signups GROUP BY state`;
        return new Map(rows.map((row) => [oneOf(row, 'state', PERSON_STATES), integer(row, 'people')]));
      }),
    confirm: (hash, submissionId) => database.write((tx) => confirm(tx, hash, submissionId, clock())),
    renewConfirmation: (hash) => database.write((tx) => renewConfirmation(tx, hash, clock())),
    unsubscribe: (hash) => database.write((tx) => unsubscribe(tx, hash, clock())),
    tidyPending: (limit) => database.write((tx) => tidyPending(tx, limit, clock())),
    invite: (wave) => database.write((tx) => invite(tx, wave, clock())),
    waves: (limit) => database.read((sql) => readWaves(sql, limit)),
    withdraw: (waveId) => database.write((tx) => withdraw(tx, waveId, clock())),
    checkInvite: (hash) =>
      database.read(async (sql) => {
        const { link, person } = await findLink(sql, hash, 'invite');
        return inviteState(link, person, clock());
      }),
    redeemInvite: (hash) => database.write((tx) => redeemInvite(tx, hash, clock())),
    importPeople: (people, { welcome }) => database.write((tx) => importPeople(tx, people, welcome, clock())),
  };
}

/** The link and its owner, who is stored as long as it is. */
async function findLink(sql: Queries, hash: string, purpose: LinkPurpose) {
  const [row] = await sql`
    SELECT signup.*, token.signup_id, token.expires_at, token.used_at FROM early_access.person_tokens AS token
    JOIN early_access.email_signups AS signup ON signup.id = token.signup_id WHERE hash = ${hash} AND purpose = ${purpose}
  `;
  return row === undefined ? { link: null, person: null } : { link: toStoredToken(row), person: toPersonRow(row) };
}

async function confirm(
  tx: Transaction,
  hash: string,
  submissionId: string | null,
  now: number,
): Promise<ConfirmResult> {
  const { link, person } = await findLink(tx, hash, 'confirm');
  const result = confirmResult(link, person, submissionId, now);
  if (result !== 'confirmed' || person === null) return result;
  await changeState(tx, person.id, 'confirm', now);
  await markTokensUsed(tx, person.id, 'confirm', now);
  return result;
}

async function renewConfirmation(tx: Transaction, hash: string, now: number): Promise<RenewalResult> {
  const { person } = await findLink(tx, hash, 'confirm');
  const result = renewalResult(person);
  if (result !== 'queued' || person === null) return result;
  const queued = await tx`SELECT FROM early_access.mails WHERE signup_id = ${person.id} AND state = 'queued' LIMIT 1`;
  if (queued.length === 0) await runTransaction(tx, queueMessages([person.id], 'confirmation', now));
  return result;
}

async function unsubscribe(tx: Transaction, hash: string, now: number): Promise<'unsubscribed' | 'unknown'> {
  const { person } = await findLink(tx, hash, 'unsubscribe');
  if (person === null) return 'unknown';
  await changeState(tx, person.id, 'unsubscribe', now);
  return 'unsubscribed';
}

async function tidyPending(tx: Transaction, limit: number, now: number): Promise<number> {
  const unconfirmed = await tx`
    SELECT id, person_id, was_unsubscribed FROM early_access.email_signups
    WHERE state = 'pending' AND created_at <= ${now - PENDING_MS} ORDER BY created_at, id LIMIT ${limit}
  `;
  const isReturning = (row: Row) => integer(row, 'was_unsubscribed') === 1;
  const returning = unconfirmed.filter(isReturning).map((row) => integer(row, 'id'));
  await changeStates(tx, returning, 'unsubscribe', now);
  const erased = unconfirmed.filter((row) => !isReturning(row)).map(toPersonOfEvent);
  await tx`DELETE FROM early_access.email_signups WHERE id = ANY(${erased.map(({ id }) => id)}::bigint[])`;
  await runTransaction(tx, recordEvents('person.erased', erased, now));
  const unreminded = await tx`
    SELECT id FROM early_access.email_signups AS person WHERE state = 'pending' AND created_at <= ${now - REMINDER_AFTER_MS}
      AND NOT EXISTS (SELECT FROM early_access.mails WHERE signup_id = person.id AND kind = 'reminder')
    ORDER BY created_at, id LIMIT ${limit - unconfirmed.length}
  `;
  const reminded = unreminded.map((row) => integer(row, 'id'));
  await runTransaction(tx, queueMessages(reminded, 'reminder', now));
  return unconfirmed.length + reminded.length;
}

async function redeemInvite(tx: Transaction, hash: string, now: number): Promise<RedeemResult> {
  const { link, person } = await findLink(tx, hash, 'invite');
  const result = inviteState(link, person, now);
  if (result !== 'valid') return { result };
  if (person === null) return { result: 'gone' };
  await changeState(tx, person.id, 'redeem', now);
  await markTokensUsed(tx, person.id, 'invite', now);
  return { result: 'redeemed', email: person.email, id: person.publicId };
}

async function importPeople(
  tx: Transaction,
  people: readonly ImportedPerson[],
  welcome: boolean,
  now: number,
): Promise<readonly ('added' | 'duplicate')[]> {
  const emails = people.map(({ email }) => email);
  const stored = await tx`SELECT email FROM early_access.email_signups WHERE email = ANY(${emails}::text[])`;
  const known = new Set(stored.map((row) => text(row, 'email')));
  const added: ImportedPerson[] = [];
  const results = people.map((person) => {
    if (known.has(person.email)) return 'duplicate';
    known.add(person.email);
    added.push(person);
    return 'added';
  });
  const persons = await insertSignups(
    tx,
    added.map(({ created_at, state, ...origin }) => ({
      signup: { ...origin, session_id: null, referrer: null, submission_id: randomUUID() },
      createdAt: created_at,
      state,
    })),
  );
  for (const kind of welcome ? (['confirmation', 'welcome'] as const) : []) {
    const recipients = persons.flatMap(({ id }, index) => {
      const person = added[index];
      return person !== undefined && firstMessageOf(person.state) === kind ? [id] : [];
    });
    await runTransaction(tx, queueMessages(recipients, kind, now));
  }
  return results;
}
