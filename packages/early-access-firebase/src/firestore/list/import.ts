import { randomUUID } from 'node:crypto';
import {
  chooseImportedMessage,
  type ImportedPerson,
  type ImportOptions,
  mailboxKey,
  mayOptOut,
  maySignUpAgain,
  NO_TALLIES,
  type PersonImport,
  planImport,
  writeLabels,
} from 'early-access-server/internal';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { addTalliesIn } from '../analytics/tallies.ts';
import { signupId, type Transaction, transact } from '../database.ts';
import { messageRef, newMessageDocument } from '../message-document.ts';
import { firstPlace } from '../share/credit.ts';
import { recordEvent } from '../webhooks/event-recorder.ts';
import { recordImport } from './imports.ts';
import { changeState, findListedPeople, findPerson, firstFields, personRefs, toHistory } from './person.ts';

/**
 * People per transaction: two documents each, of the 500 that a commit may write. Figures do not count them as signups.
 */
const BATCH = 200;

interface ImportContext extends ImportOptions {
  readonly now: number;
}

export async function importPeople(firestore: Firestore, people: readonly ImportedPerson[], options: ImportContext) {
  const results: PersonImport[] = [];
  for (let start = 0; start < people.length; start += BATCH) {
    const batch = people.slice(start, start + BATCH);
    const plan = await transact(firestore, (tx) => importBatch(tx, batch, options));
    results.push(...plan.results);
    // One transaction per person, because a person who unsubscribes may have many queued messages.
    for (const { signupId } of plan.optedOut) {
      await transact(firestore, (tx) => optOut(tx, signupId, batch, options.now));
    }
  }
  return results;
}

async function optOut(tx: Transaction, signupId: string, file: readonly ImportedPerson[], now: number): Promise<void> {
  const person = await findPerson(tx, signupId);
  if (person === null) return;
  const listed = { state: person.state, confirmed_at: toHistory(person.document).confirmed_at };
  const mailbox = mailboxKey(person.email);
  const isLeaving = file.some((imported) => mailboxKey(imported.email) === mailbox && mayOptOut(listed, imported));
  if (isLeaving) await changeState(tx, person, 'unsubscribe', 'import', now);
}

async function importBatch(tx: Transaction, people: readonly ImportedPerson[], options: ImportContext) {
  const { welcome, isByHand = false, import: file, now } = options;
  const plan = planImport(
    people,
    await findListedPeople(
      tx,
      people.map(({ email }) => email),
    ),
  );
  for (const person of people.filter((_, index) => plan.results[index] === 'added')) {
    const { signup, left } = personRefs(tx, signupId(person.email));
    const { created_at, state, mail_state: _, labels, ...rest } = person;
    const first = firstFields(person.email, state);
    if (isByHand) await recordEvent(tx, 'signup.created', first.person_id, now);
    const record = {
      ...{ session_id: null, referrer: null, ...rest, submission_id: randomUUID() },
      created_at: Timestamp.fromMillis(created_at),
      imported: true,
      ...(file && { import_id: file.id }),
      ...(labels && { labels: writeLabels(labels) }),
      timeline: [{ at: now, event: 'add', by: isByHand ? 'admin' : 'import' }],
      ...first,
      ...(person.confirmed_at != null && { subscribed_at: person.confirmed_at }),
      ...firstPlace(created_at),
      ...(state === 'unsubscribed' && { unsubscribed_at: person.unsubscribed_at ?? now }),
    };
    tx.create(maySignUpAgain(state) ? left : signup, record);
    const message = chooseImportedMessage(person, { welcome, now });
    if (message !== null) {
      const { at, ...about } = message;
      tx.set(messageRef(tx, signup.id), newMessageDocument({ ...about, signup_id: signup.id }, at));
    }
  }
  const imported = plan.results.filter((result) => result === 'added').length;
  if (imported > 0) {
    addTalliesIn(tx, { ...NO_TALLIES, imported }, now);
    if (file !== undefined) await recordImport(tx, file, imported, now);
  }
  return plan;
}
