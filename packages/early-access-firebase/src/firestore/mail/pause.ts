import { type MailPause, readMailPause } from 'early-access-server/internal';
import type { DocumentReference, DocumentSnapshot } from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { text } from '../fields.ts';

export function pauseRef(reader: DocumentReader): DocumentReference {
  return reader.collection(COLLECTIONS.mailPause).doc('pause');
}

/** Returns the pause of the mail queue; null if there is no document. */
export function readPause(snapshot: DocumentSnapshot | undefined): MailPause | null {
  return snapshot?.exists ? readMailPause(text(snapshot, 'data')) : null;
}

/** Stores the pause, replacing the one that the transaction has read. */
export function savePause(tx: Transaction, next: MailPause | null, before: MailPause | null): void {
  if (next === before) return;
  if (next === null) tx.delete(pauseRef(tx));
  else tx.set(pauseRef(tx), { data: JSON.stringify(next) });
}
