import { randomUUID } from 'node:crypto';
import {
  chooseImportedMessage,
  type ImportedPerson,
  type ImportOptions,
  mayOptOut,
  maySignUpAgain,
  NO_TALLIES,
  type PersonImport,
} from 'early-access-server/stores';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { addTalliesWithin } from '../analytics/tallies.ts';
import { signupId, type Transaction, transact } from '../database.ts';
import { messageRef, newMessageDocument } from '../mail/message-document.ts';
import { recordImport } from './imports.ts';
import { changeState, findPerson, firstFields, personRefs, toHistory } from './person.ts';

/** People whom one transaction adds: two documents each, of the 500 that one commit may write. Figures count them as no signups. */
const BATCH = 200;

interface ImportContext extends ImportOptions {
  readonly now: number;
}

export async function importPeople(firestore: Firestore, people: readonly ImportedPerson[], options: ImportContext) {
  const results: PersonImport[] = [];
  for (let start = 0; start < people.length; start += BATCH) {
    const batch = people.slice(start, start + BATCH);
    const added = await transact(firestore, (tx) => importBatch(tx, batch, options));
    for (const [index, person] of batch.entries()) {
      const result = added[index] ?? 'duplicate';
      const isOptedOut = result === 'duplicate' && person.state === 'unsubscribed';
      results.push(isOptedOut ? await transact(firestore, (tx) => optOut(tx, person, options.now)) : result);
    }
  }
  return results;
}

/** A transaction for each, because a person who unsubscribes may have many queued messages. */
async function optOut(tx: Transaction, imported: ImportedPerson, now: number): Promise<PersonImport> {
  const person = await findPerson(tx, signupId(imported.email));
  if (person === null) return 'duplicate';
  const listed = { state: person.state, confirmed_at: toHistory(person.document).confirmed_at };
  if (!mayOptOut(listed, imported)) return 'duplicate';
  await changeState(tx, person, 'unsubscribe', 'import', now);
  return 'unsubscribed';
}

async function importBatch(tx: Transaction, people: readonly ImportedPerson[], options: ImportContext) {
  const { welcome, isByHand = false, import: file, now } = options;
  const documents = people.map((person) => ({ person, ...personRefs(tx, signupId(person.email)) }));
  const stored = await tx.getAll(...documents.flatMap(({ signup, left }) => [signup, left]));
  const listed = new Set(stored.filter(({ exists }) => exists).map(({ ref }) => ref.path));
  const results = documents.map(({ person, signup, left }): PersonImport => {
    const { created_at, state, mail_state: _, ...rest } = person;
    if (listed.has(signup.path) || listed.has(left.path)) return 'duplicate';
    // An address may be in the file twice.
    listed.add(signup.path);
    const record = {
      ...{ session_id: null, referrer: null, ...rest, submission_id: randomUUID() },
      created_at: Timestamp.fromMillis(created_at),
      imported: true,
      ...(file && { import_id: file.id }),
      timeline: [{ at: now, event: 'add', by: isByHand ? 'admin' : 'import' }],
      ...firstFields(state),
      ...(state === 'unsubscribed' && { unsubscribed_at: person.unsubscribed_at ?? now }),
    };
    tx.create(maySignUpAgain(state) ? left : signup, record);
    const message = chooseImportedMessage(person, { welcome, now });
    if (message !== null) {
      const { at, ...about } = message;
      tx.set(messageRef(tx, signup.id), newMessageDocument({ ...about, signup_id: signup.id }, at));
    }
    return 'added';
  });
  const imported = results.filter((result) => result === 'added').length;
  if (imported > 0) {
    addTalliesWithin(tx, { ...NO_TALLIES, imported }, now);
    if (file !== undefined) await recordImport(tx, file, imported, now);
  }
  return results;
}
