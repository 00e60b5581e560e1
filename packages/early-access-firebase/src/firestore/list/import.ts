import { randomUUID } from 'node:crypto';
import { chooseFirstMessage, type ImportedPerson, maySignUpAgain, NO_TALLIES } from 'early-access-server/stores';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { addTalliesWithin } from '../analytics/tallies.ts';
import { signupId, type Transaction, transact } from '../database.ts';
import { queueFirstMessage } from '../mail/message-document.ts';
import { firstFields, personRefs } from './person.ts';

/** People whom one transaction adds: two documents each, of the 500 that one commit may write. Figures count them as no signups. */
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
  const results = documents.map(({ person, signup, left }): ImportResult => {
    const { email, source, created_at, state, fields } = person;
    if (listed.has(signup.path) || listed.has(left.path)) return 'duplicate';
    // An address may be in the file twice.
    listed.add(signup.path);
    const record = {
      ...{ email, source, session_id: null, referrer: null, submission_id: randomUUID() },
      ...(fields && { fields }),
      created_at: Timestamp.fromMillis(created_at),
      imported: true,
      ...firstFields(state),
    };
    tx.create(maySignUpAgain(state) ? left : signup, record);
    const kind = chooseFirstMessage(state);
    if (welcome && kind !== null) queueFirstMessage(tx, kind, signup.id, now);
    return 'added';
  });
  const imported = results.filter((result) => result === 'added').length;
  if (imported > 0) addTalliesWithin(tx, { ...NO_TALLIES, imported }, now);
  return results;
}
