import type { CountingFailure } from 'early-access-server/internal';
import type { DocumentReference, DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { toStorageError } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';

/** The document exists while the roll-up is failing. */
export function failureRef(firestore: Firestore): DocumentReference {
  return firestore.collection(COLLECTIONS.analytics).doc('failure');
}

export function readFailure(snapshot: DocumentSnapshot): CountingFailure | null {
  return snapshot.exists ? { since: Number(snapshot.get('since')), reason: String(snapshot.get('reason')) } : null;
}

export async function recordFailure(firestore: Firestore, error: unknown, now: number): Promise<void> {
  const since = readFailure(await failureRef(firestore).get())?.since ?? now;
  await failureRef(firestore).set({ since, reason: toStorageError(error).message });
}

export async function clearFailure(firestore: Firestore): Promise<void> {
  // A read costs less than a delete.
  if ((await failureRef(firestore).get()).exists) await failureRef(firestore).delete();
}
