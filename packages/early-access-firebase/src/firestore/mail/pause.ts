import { type MailPause, readMailPause } from 'early-access-server/stores';
import type { DocumentReference, DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../documents.ts';
import { text } from '../fields.ts';

export function pauseRef(firestore: Firestore): DocumentReference {
  return firestore.collection(COLLECTIONS.mailPause).doc('pause');
}

/** The pause of the mail queue; null if there is no document. */
export function readPause(snapshot: DocumentSnapshot | undefined): MailPause | null {
  return snapshot?.exists ? readMailPause(text(snapshot, 'data')) : null;
}

/** Stores the pause in place of the one that the transaction has read. */
export function savePause(
  firestore: Firestore,
  transaction: Transaction,
  next: MailPause | null,
  before: MailPause | null,
): void {
  if (next === before) return;
  if (next === null) transaction.delete(pauseRef(firestore));
  else transaction.set(pauseRef(firestore), { data: JSON.stringify(next) });
}
