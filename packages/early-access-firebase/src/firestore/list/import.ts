import { randomUUID } from 'node:crypto';
import { chooseFirstMessage, type ImportedPerson, maySignUpAgain, NO_TALLIES } from 'early-access-server/stores';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { addTalliesWithin } from '../analytics/tallies.ts';
import { signupId, transact } from '../database.ts';
import { queueFirstMessage } from '../mail/message-document.ts';
import { firstFields, personRefs } from './person.ts';

/** People whom one transaction adds: two documents each, of the 500 that one commit may write. Figures count them as no signups. */
const BATCH = 200;

type ImportResult = 'added' | 'duplicate';

export async function importPeople(
  firestore: Firestore,
  people: readonly ImportedPerson[],
  options: { readonly welcome: boolean; readonly now: number },
): Promise<readonly ImportResult[]> {
  const results: ImportResult[] = [];
  for (let start = 0; start < people.length; start += BATCH) {
    results.push(...(await importBatch(firestore, people.slice(start, start + BATCH), options)));
  }
  return results;
}

function importBatch(
  firestore: Firestore,
  people: readonly ImportedPerson[],
  { welcome, now }: { readonly welcome: boolean; readonly now: number },
): Promise<readonly ImportResult[]> {
  return transact(firestore, async (transaction) => {
    const documents = people.map(({ email }) => personRefs(firestore, signupId(email)));
    const stored = await transaction.getAll(...documents.flatMap(({ signup, left }) => [signup, left]));
    const listed = new Set(stored.filter(({ exists }) => exists).map(({ ref }) => ref.path));
    const added: (() => void)[] = [];
    const results = people.map(({ email, source, created_at, state, fields }): ImportResult => {
      const id = signupId(email);
      const { signup, left } = personRefs(firestore, id);
      if (listed.has(signup.path) || listed.has(left.path)) return 'duplicate';
      // An address may be in the file twice.
      listed.add(signup.path);
      const origin = { email, source, session_id: null, referrer: null, submission_id: randomUUID() };
      const record = {
        ...origin,
        ...(fields && { fields }),
        created_at: Timestamp.fromMillis(created_at),
        imported: true,
        ...firstFields(state),
      };
      const kind = chooseFirstMessage(state);
      added.push(() => {
        transaction.create(maySignUpAgain(state) ? left : signup, record);
        if (welcome && kind !== null) queueFirstMessage(firestore, transaction, { kind, signupId: id, now });
      });
      return 'added';
    });
    for (const write of added) write();
    if (added.length > 0) addTalliesWithin(transaction, firestore, { ...NO_TALLIES, imported: added.length }, now);
    return results;
  });
}
