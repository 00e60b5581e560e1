import { type ImportedMember, type ImportName, type ImportRecord, mayWithdraw } from 'early-access-server/internal';
import { type DocumentSnapshot, FieldPath, FieldValue, type Firestore } from 'firebase-admin/firestore';
import { countDocuments, pages, type Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, text } from '../fields.ts';
import { type MessageDocument, readMessage } from '../message-document.ts';
import { findInList } from '../people/queries.ts';
import { type StoredPerson, signupIdOfDocument } from './person.ts';

/** People per call, with all of their messages. */
const PAGE = 100;

/** Stores an import that has added people. */
export async function recordImport(
  tx: Transaction,
  { id, name }: ImportName,
  added: number,
  now: number,
): Promise<void> {
  const ref = tx.collection(COLLECTIONS.imports).doc(id);
  const stored = await tx.get(ref);
  if (stored.exists) tx.update(ref, { added: FieldValue.increment(added) });
  else tx.create(ref, { name, created_at: now, added });
}

export async function listImports(firestore: Firestore, limit: number): Promise<readonly ImportRecord[]> {
  const newest = firestore.collection(COLLECTIONS.imports).orderBy('created_at', 'desc').limit(limit);
  return Promise.all((await newest.get()).docs.map(toImport));
}

async function toImport(document: DocumentSnapshot): Promise<ImportRecord> {
  const people = await countDocuments(queryMembers(document.ref.firestore, document.id));
  const [created_at, added] = [integer(document, 'created_at'), integer(document, 'added')];
  return { id: document.id, name: text(document, 'name'), created_at, added, people };
}

export async function* readPeopleOfImport(
  firestore: Firestore,
  id: string,
): AsyncGenerator<ImportedMember, void, void> {
  const mails = firestore.collection(COLLECTIONS.mails);
  for await (const page of pages(queryMembers(firestore, id).orderBy(FieldPath.documentId()), PAGE)) {
    const found = await findInList(
      mails,
      'signup_id',
      page.map((document) => signupIdOfDocument(document.id)),
    );
    const messages = Map.groupBy(
      found.flatMap((document) => readMessage(document) ?? []),
      ({ signup_id }) => signup_id,
    );
    for (const document of page) {
      const isWithdrawable = mayWithdraw(document.get('timeline'), messages.get(signupIdOfDocument(document.id)) ?? []);
      yield { email: text(document, 'email'), isWithdrawable };
    }
  }
}

/** Returns whether undoing the import erases this person, given their messages. */
export function isWithdrawable(
  { document }: StoredPerson,
  messages: readonly MessageDocument[],
  importId: string,
): boolean {
  return document.get('import_id') === importId && mayWithdraw(document.get('timeline'), messages);
}

function queryMembers(firestore: Firestore, id: string) {
  return firestore.collection(COLLECTIONS.signups).where('import_id', '==', id);
}
