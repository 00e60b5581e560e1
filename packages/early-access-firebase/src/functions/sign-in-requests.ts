import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { transact } from '../firestore/database.ts';
import { COLLECTIONS } from '../firestore/documents.ts';

export const SIGN_IN_REQUESTS = COLLECTIONS.adminSignInRequests;

/** A TTL policy deletes requests that no trigger has read. */
const MAX_AGE_MS = 900_000;

/** Stores the same document for every address, so that the response time does not reveal whether it is an admin's. */
export async function storeSignInRequest(firestore: Firestore, email: string, now: number): Promise<void> {
  const expires_at = Timestamp.fromMillis(now + MAX_AGE_MS);
  await firestore.collection(SIGN_IN_REQUESTS).add({ email, expires_at });
}

/** Deletes the request and returns its address; null if there is none. If a trigger repeats, only one call gets it. */
export function takeSignInRequest(firestore: Firestore, id: string, now: number): Promise<string | null> {
  const ref = firestore.collection(SIGN_IN_REQUESTS).doc(id);
  return transact(firestore, async (tx) => {
    const request = await tx.get(ref);
    const [email, expiresAt]: unknown[] = [request.get('email'), request.get('expires_at')];
    if (typeof email !== 'string' || !(expiresAt instanceof Timestamp)) return null;
    tx.delete(ref);
    return expiresAt.toMillis() > now ? email : null;
  });
}
