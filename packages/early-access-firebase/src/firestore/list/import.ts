import { randomUUID } from 'node:crypto';
import { chooseImportedMessage, type ImportedPerson, maySignUpAgain } from 'early-access-server/stores';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { addRows } from '../analytics/archive.ts';
import { signupRow } from '../analytics/documents.ts';
import type { Row } from '../analytics/rows.ts';
import { signupId, type Transaction, transact } from '../database.ts';
import { messageRef, newMessageDocument } from '../mail/message-document.ts';
import { firstFields, personRefs } from './person.ts';

/** People whom one transaction adds: two documents each, of the 500 that one commit may write. */
const BATCH = 200;

type ImportResult = 'added' | 'duplicate';

interface ImportOptions {
  readonly welcome: boolean;
  readonly now: number;
}

export async function importPeople(firestore: Firestore, people: readonly ImportedPerson[], options: ImportOptions) {
  const results: ImportResult[] = [];
  for (let start = 0; start < people.length; start += BATCH) {
    const batch = people.slice(start, start + BATCH);
    results.push(...(await transact(firestore, (tx) => importBatch(tx, batch, options))));
  }
  return results;
}

async function importBatch(tx: Transaction, people: readonly ImportedPerson[], { welcome, now }: ImportOptions) {
  const documents = people.map((person) => ({ person, ...personRefs(tx, signupId(person.email)) }));
  const stored = await tx.getAll(...documents.flatMap(({ signup, left }) => [signup, left]));
  const listed = new Set(stored.filter(({ exists }) => exists).map(({ ref }) => ref.path));
  const rows: Row[] = [];
  const results = documents.map(({ person, signup, left }): ImportResult => {
    const { created_at, state, mail_state: _, ...rest } = person;
    if (listed.has(signup.path) || listed.has(left.path)) return 'duplicate';
    // An address may be in the file twice.
    listed.add(signup.path);
    const record = {
      ...{ session_id: null, referrer: null, ...rest, submission_id: randomUUID() },
      created_at: Timestamp.fromMillis(created_at),
      ...firstFields(state),
      ...(state === 'unsubscribed' && { unsubscribed_at: person.unsubscribed_at ?? now }),
    };
    rows.push(signupRow(record));
    tx.create(maySignUpAgain(state) ? left : signup, record);
    const message = chooseImportedMessage(person, { welcome, now });
    if (message !== null) {
      const { at, ...about } = message;
      tx.set(messageRef(tx, signup.id), newMessageDocument({ ...about, signup_id: signup.id }, at));
    }
    return 'added';
  });
  await addRows(tx, rows);
  return results;
}
