import { randomUUID } from 'node:crypto';
import { NO_TALLIES } from '../../app/analytics/analytics.ts';
import { chooseImportedMessage } from '../../app/import/imported-message.ts';
import { otherMailboxKey } from '../../app/lifecycle/mailbox.ts';
import { findListed, planImport } from '../../app/lifecycle/opt-out.ts';
import { nextState, PENDING_MS, PERSON_STATES, REMINDER_AFTER_MS } from '../../app/lifecycle/states.ts';
import {
  chooseNewLink,
  MESSAGE_KINDS,
  type MessageKind,
  type MessageTokens,
  mayReceive,
} from '../../app/mail/message-kinds.ts';
import type { MailEvent, MailReportOrigin } from '../../app/mail-events/mail-event.ts';
import { changeLabels, type LabelChange, readLabels, writeLabels } from '../../app/people/labels.ts';
import { admission, confirmResult, inviteState, opensStatus, renewalResult } from '../../app/people/links.ts';
import { isPersonId } from '../../app/people/person-id.ts';
import { addEvents, type Cause, type StoredEvent } from '../../app/people/timeline.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type {
  AdmitResult,
  ConfirmResult,
  CorrectionRequest,
  ImportedPerson,
  ImportOptions,
  ListStore,
  PersonImport,
  RedeemResult,
  RenewalResult,
} from '../../app/ports/list-store.ts';
import { addTallies } from './analytics.ts';
import { countReaction } from './campaigns.ts';
import { recordEvents } from './events.ts';
import { readPeopleOfImport, recordImport, selectImports, toImport } from './imports.ts';
import { type PersonOfEvent, type PersonRow, toPersonOfEvent, toPersonRow, toWave } from './list-rows.ts';
import { applyEntered, selectMailbox } from './mailboxes.ts';
import { queueMessages } from './messages.ts';
import { type PeopleSearch, readListed, selectChosen } from './people.ts';
import { changeStates } from './person.ts';
import { type NewSignup, readTimeline } from './record-rows.ts';
import { integer, integerOrNull, type Row, readChoice, text, textOrNull } from './row.ts';
import { creditReferrer, eraseShares } from './share.ts';
import type { SqlDatabase } from './sql-database.ts';
import { each, sql, type Transaction } from './statement.ts';
import { insertLinks, markTokensUsed, newLinks, selectLink, toLink } from './tokens.ts';
import { invite, selectWaves, withdraw } from './waves.ts';

/** Stores signups with distinct addresses, and returns their people in the same order. */
export type AddSignups = (added: readonly NewSignup[]) => Transaction<readonly PersonOfEvent[]>;

interface ListOptions {
  readonly clock: Clock;
  readonly search: PeopleSearch;
  readonly addSignups: AddSignups;
}

export function listStore(database: SqlDatabase, { clock, search, addSignups }: ListOptions): ListStore {
  const { query, write } = database;
  return {
    async counts() {
      const rows = await query(sql`SELECT state, count(*) AS people FROM @email_signups GROUP BY state`);
      return new Map(rows.map((row) => [readChoice(row, 'state', PERSON_STATES), integer(row, 'people')]));
    },
    confirm: (hash, submissionId) => write(() => confirm(hash, submissionId, clock())),
    renewConfirmation: (hash) => write(() => renewConfirmation(hash, clock())),
    requestLink: (email, kinds) => write(() => requestLink(email, kinds, clock())),
    unsubscribe: (hash, by) => write(() => unsubscribe(hash, by, clock())),
    createTokens: (email) => write(() => createLinks(email, clock())),
    async findOwner(hash, purpose) {
      const { link, person } = toLink(
        await query(selectLink(hash, purpose, purpose === 'confirm' ? 'correct' : purpose)),
      );
      return link !== null && opensStatus(link, clock()) ? person.publicId : null;
    },
    changePerson: (email, event, by, report) => write(() => changePerson(email, event, by, report, clock())),
    changeLabels: (email, change) => write(() => changeLabelsOf(email, change)),
    correctAddress: (id, email, by = 'admin') => write(() => correctAddress(id, email, by, clock())),
    tidyPending: (limit) => write(() => tidyPending(limit, clock())),
    invite: (wave) => write(() => invite(wave, search, clock())),
    waves: async (limit) => (await query(selectWaves(limit))).map(toWave),
    withdraw: (waveId) => write(() => withdraw(waveId, clock())),
    async checkInvite(hash) {
      const { link, person } = toLink(await query(selectLink(hash, 'invite')));
      return inviteState(link, person, clock());
    },
    redeemInvite: (hash) => write(() => redeemInvite(hash, clock())),
    admit: (email) => write(() => admit(email, clock())),
    restoreBounced: (who) =>
      write(function* () {
        const ids = (yield* selectChosen(who, 'bounced', search)).map((row) => integer(row, 'id'));
        yield* changeStates(ids, 'retry', 'admin', clock());
        return ids.length;
      }),
    importPeople: (people, options) => write(() => importPeople(people, options, addSignups, clock())),
    imports: async (limit) => (await query(selectImports(limit))).map(toImport),
    peopleOfImport: (id) => readPeopleOfImport(database, id),
  };
}

function* confirm(hash: string, submissionId: string | null, now: number): Transaction<ConfirmResult> {
  const { link, person } = toLink(yield* selectLink(hash, 'confirm', 'correct'));
  const result = confirmResult(link, person, submissionId, now);
  if (result !== 'confirmed' || person === null || link === null) return result;
  if (link.purpose === 'correct') {
    if (!(yield* takeCorrection(person, now))) return 'unknown';
    yield* changeStates([person.id], 'retry', link.kind, now);
    yield* markTokensUsed(person.id, 'correct', now);
  }
  yield* changeStates([person.id], 'confirm', link.kind, now);
  if (person.entered !== null) yield* applyEntered(person.id, person.entered);
  if ([person.state, person.bouncedFrom].includes('pending')) yield* creditReferrer(person.id);
  yield* markTokensUsed(person.id, 'confirm', now);
  return result;
}

/**
 * Replaces the person's address with that of the open correction. Returns false if there is none, or if the address is
 * on the list by now.
 */
function* takeCorrection({ id }: PersonRow, now: number): Transaction<boolean> {
  const [message] = yield* sql`DELETE FROM @mails WHERE signup_id = ${id} AND kind = 'correction' RETURNING recipient`;
  if (message === undefined) return false;
  const email = text(message, 'recipient');
  if (findListed(email, yield* readListed([email])) !== undefined) return false;
  yield* sql`UPDATE @email_signups SET email = ${email}, mailbox = ${otherMailboxKey(email)} WHERE id = ${id}`;
  // Links to the status page that were sent to the old address no longer work. Those to unsubscribe do.
  yield* sql`
    UPDATE @person_tokens SET expires_at = ${now} WHERE signup_id = ${id} AND purpose IN ('confirm', 'unsubscribe')
  `;
  yield* recordEvent(id, { at: now, event: 'correct', by: 'correction' });
  return true;
}

function* changeLabelsOf(email: string, change: LabelChange): Transaction<'changed' | 'unchanged' | 'full' | 'gone'> {
  const [row] = yield* sql`SELECT id, labels FROM @email_signups WHERE email = ${email} #lock`;
  if (row === undefined) return 'gone';
  const stored = textOrNull(row, 'labels');
  const labels = changeLabels(readLabels(stored), change);
  if (labels === 'full') return 'full';
  if (writeLabels(labels) === stored) return 'unchanged';
  yield* sql`UPDATE @email_signups SET labels = ${writeLabels(labels)} WHERE id = ${integer(row, 'id')}`;
  return 'changed';
}

function* correctAddress(publicId: string, email: string, by: Cause, now: number): Transaction<CorrectionRequest> {
  const [row] = isPersonId(publicId)
    ? yield* sql`SELECT * FROM @email_signups WHERE person_id = ${publicId} #lock`
    : [];
  if (row === undefined) return 'gone';
  const { id, state } = toPersonRow(row);
  if (!mayReceive(state, 'correction')) return 'unsubscribed';
  if (findListed(email, yield* readListed([email])) !== undefined) return 'on-list';
  yield* queueCorrection(id, email, now);
  yield* recordEvent(id, { at: now, event: 'ask-correction', by });
  return 'queued';
}

/** Replaces the open correction; its link stops working. */
function* queueCorrection(id: number, email: string, now: number): Transaction<void> {
  yield* sql`DELETE FROM @mails WHERE signup_id = ${id} AND kind = 'correction'`;
  yield* sql`DELETE FROM @person_tokens WHERE signup_id = ${id} AND purpose = 'correct'`;
  yield* sql`
    INSERT INTO @mails (signup_id, recipient, kind, message_key, next_attempt_at, changed_at)
    VALUES (${id}, ${email}, 'correction', ${randomUUID()}, ${now}, ${now})
  `;
}

function* recordEvent(id: number, event: StoredEvent): Transaction<void> {
  const [row] = yield* sql`SELECT timeline FROM @email_signups WHERE id = ${id}`;
  const events = JSON.stringify(addEvents(row && readTimeline(row), event));
  yield* sql`UPDATE @email_signups SET timeline = ${events} WHERE id = ${id}`;
}

function* renewConfirmation(hash: string, now: number): Transaction<RenewalResult> {
  const { link, person } = toLink(yield* selectLink(hash, 'confirm', 'correct'));
  const result = renewalResult(link, person);
  if (result !== 'queued' || person === null) return result;
  if (link?.purpose === 'correct') {
    const [open] = yield* sql`SELECT recipient FROM @mails WHERE signup_id = ${person.id} AND kind = 'correction'`;
    if (open !== undefined) yield* queueCorrection(person.id, text(open, 'recipient'), now);
    return result;
  }
  yield* queueNewLink(person, ['confirmation'], now);
  return result;
}

function* requestLink(email: string, kinds: readonly MessageKind[], now: number): Transaction<boolean> {
  const [row] = yield* sql`SELECT * FROM @email_signups WHERE email = ${email} #lock`;
  return row === undefined ? false : yield* queueNewLink(toPersonRow(row), kinds, now);
}

function* queueNewLink({ id, state }: PersonRow, kinds: readonly MessageKind[], now: number): Transaction<boolean> {
  const waiting = yield* sql`SELECT kind FROM @mails WHERE signup_id = ${id} AND state = 'queued'`;
  const kind = chooseNewLink(
    kinds,
    state,
    waiting.map((row) => readChoice(row, 'kind', MESSAGE_KINDS)),
  );
  if (kind !== null) yield* queueMessages([id], kind, now);
  return kind !== null;
}

function* unsubscribe(hash: string, by: Cause | undefined, now: number): Transaction<'unsubscribed' | 'unknown'> {
  const rows = yield* selectLink(hash, 'unsubscribe');
  const { link, person } = toLink(rows);
  if (link === null || person === null) return 'unknown';
  const isChanged = nextState(person.state, 'unsubscribe') !== null;
  yield* changeStates(yield* selectMailbox(person.id), 'unsubscribe', by ?? link.kind, now);
  const campaign = rows[0] === undefined ? null : integerOrNull(rows[0], 'campaign_id');
  if (isChanged && campaign !== null) {
    yield* countReaction(sql`signup_id = ${person.id} AND campaign_id = ${campaign}`, 'unsubscribed');
  }
  return 'unsubscribed';
}

function* createLinks(email: string, now: number): Transaction<MessageTokens | null> {
  const [person] = yield* sql`SELECT id FROM @email_signups WHERE email = ${email}`;
  if (person === undefined) return null;
  const { tokens, rows } = newLinks(integer(person, 'id'), 'campaign', now, null);
  yield* insertLinks(rows);
  return tokens;
}

function* changePerson(
  email: string,
  event: MailEvent['event'],
  by: Cause,
  report: MailReportOrigin | undefined,
  now: number,
): Transaction<void> {
  const [row] = yield* sql`SELECT id FROM @email_signups WHERE email = ${email}`;
  if (row === undefined) return;
  const id = integer(row, 'id');
  yield* changeStates(event === 'unsubscribe' ? yield* selectMailbox(id) : [id], event, by, now);
  if (report?.isComplaint !== true) return;
  // A report without a message key is about the last message.
  const which = report.messageKey === null ? sql`state = 'sent'` : sql`message_key = ${report.messageKey}`;
  const [message] = yield* sql`
    SELECT id FROM @mails WHERE signup_id = ${id} AND ${which} ORDER BY changed_at DESC, id DESC LIMIT 1
  `;
  if (message !== undefined) yield* countReaction(sql`id = ${integer(message, 'id')}`, 'complained');
}

function* tidyPending(limit: number, now: number): Transaction<number> {
  const unconfirmed = yield* sql`
    SELECT id, person_id, unsubscribed_at, share_code, entered FROM @email_signups
    WHERE state = 'pending' AND created_at <= ${now - PENDING_MS} AND coalesce(entered_at, created_at) <= ${now - PENDING_MS}
    ORDER BY created_at, id LIMIT CAST(${limit} AS bigint)
  `;
  const isReturning = (row: Row) => row.unsubscribed_at !== null;
  const returning = unconfirmed.filter(isReturning).map((row) => integer(row, 'id'));
  yield* changeStates(returning, 'unsubscribe', 'time', now);
  const unreturned = unconfirmed.filter((row) => !isReturning(row));
  const erased = unreturned.map(toPersonOfEvent);
  if (erased.length > 0) {
    const ids = each(erased.map(({ id }) => id));
    yield* sql`DELETE FROM @email_signups WHERE id IN (SELECT CAST(value AS bigint) FROM ${ids})`;
    yield* eraseShares(unreturned);
  }
  yield* recordEvents('person.erased', erased, now);
  yield* sql`DELETE FROM @mails WHERE kind = 'correction' AND changed_at <= ${now - PENDING_MS}`;
  const unreminded = yield* sql`
    SELECT id FROM @email_signups AS person WHERE state = 'pending' AND created_at <= ${now - REMINDER_AFTER_MS}
      AND coalesce(entered_at, created_at) <= ${now - REMINDER_AFTER_MS} AND NOT EXISTS (
        SELECT 1 FROM @mails WHERE signup_id = person.id AND kind = 'reminder' AND changed_at >= coalesce(person.entered_at, 0)
      )
    ORDER BY created_at, id LIMIT CAST(${limit - unconfirmed.length} AS bigint)
  `;
  const reminded = unreminded.map((row) => integer(row, 'id'));
  yield* queueMessages(reminded, 'reminder', now);
  return unconfirmed.length + reminded.length;
}

function* redeemInvite(hash: string, now: number): Transaction<RedeemResult> {
  const { link, person } = toLink(yield* selectLink(hash, 'invite'));
  const result = inviteState(link, person, now);
  if (result !== 'valid') return { result };
  if (person === null) return { result: 'gone' };
  yield* join(person.id, now);
  return { result: 'redeemed', email: person.email, id: person.publicId };
}

function* admit(email: string, now: number): Transaction<AdmitResult> {
  const [row] = yield* sql`SELECT * FROM @email_signups WHERE email = ${email} #lock`;
  if (row === undefined) return { result: 'unknown' };
  const { id, state, publicId } = toPersonRow(row);
  const [latest] = yield* sql`
    SELECT max(expires_at) AS expires_at FROM @person_tokens WHERE signup_id = ${id} AND purpose = 'invite'
  `;
  const person = { state, invited_at: integerOrNull(row, 'invited_at') };
  const result = admission(person, integerOrNull(latest, 'expires_at'), now);
  if (result !== 'admitted') return { result };
  if (state !== 'joined') yield* join(id, now);
  return { result, id: publicId };
}

/** Records that an invited person has joined, in whatever way. */
function* join(id: number, now: number): Transaction<void> {
  yield* changeStates([id], 'redeem', 'invite', now);
  yield* countReaction(sql`signup_id = ${id} AND campaign_id IS NOT NULL AND state = 'sent'`, 'joined');
  // Follow-ups are only for people who have not joined.
  yield* sql`
    DELETE FROM @mails WHERE signup_id = ${id} AND state = 'queued'
      AND campaign_id IN (SELECT id FROM @campaigns WHERE follows IS NOT NULL)
  `;
  yield* markTokensUsed(id, 'invite', now);
}

function* importPeople(
  people: readonly ImportedPerson[],
  { welcome, isByHand = false, import: file }: ImportOptions,
  addSignups: AddSignups,
  now: number,
): Transaction<readonly PersonImport[]> {
  const { results, optedOut } = planImport(people, yield* readListed(people.map(({ email }) => email)));
  const added = people.filter((_, index) => results[index] === 'added');
  yield* changeStates(
    optedOut.map(({ rowId }) => rowId),
    'unsubscribe',
    'import',
    now,
  );
  const persons = yield* addSignups(
    added.map(({ session_id = null, referrer = null, ...person }) => ({
      signup: { ...person, session_id, referrer, submission_id: randomUUID() },
      createdAt: person.created_at,
      state: person.state,
      isImported: true,
      importId: file?.id,
      language: person.language,
      labels: person.labels,
      history: {
        ...person,
        unsubscribed_at: person.unsubscribed_at ?? (person.state === 'unsubscribed' ? now : null),
      },
      events: [{ at: now, event: 'add', by: isByHand ? 'admin' : 'import' }],
    })),
  );
  if (isByHand) yield* recordEvents('signup.created', persons, now);
  if (added.length > 0) {
    yield* addTallies({ ...NO_TALLIES, imported: added.length }, now);
    if (file !== undefined) yield* recordImport(file, added.length, now);
  }
  const messages = persons.flatMap(({ id }, index) => {
    const person = added[index];
    const message = person === undefined ? null : chooseImportedMessage(person, { welcome, now });
    return message === null ? [] : [[id, randomUUID(), message.kind, message.state, message.at]];
  });
  if (messages.length === 0) return results;
  yield* sql`
    INSERT INTO @mails (signup_id, message_key, kind, state, next_attempt_at, changed_at)
    SELECT CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, value ->> 3, CAST(value ->> 4 AS bigint), CAST(value ->> 4 AS bigint)
    FROM #each(${JSON.stringify(messages)})
  `;
  return results;
}
