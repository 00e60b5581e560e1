import { type OpeningRequest, SHARE_SOURCE, type StoredRequest } from 'early-access-server/internal';
import { type DocumentReference, type DocumentSnapshot, FieldValue, Timestamp } from 'firebase-admin/firestore';
import { type DocumentReader, signupId, type Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { text, timestamp } from '../fields.ts';

export function requestRef(reader: DocumentReader, id: string): DocumentReference {
  return reader.collection(COLLECTIONS.openingRequests).doc(id);
}

export function toRequest(document: DocumentSnapshot): StoredRequest {
  return { ...readData(document), created_at: timestamp(document, 'created_at').toMillis() };
}

function readData(document: DocumentSnapshot): OpeningRequest {
  return JSON.parse(text(document, 'data'));
}

/** Stores a request unless the address already has one. */
export async function keepRequest(tx: Transaction, request: OpeningRequest, now: number): Promise<void> {
  const { email, utm_source, utm_content } = request.signup;
  const ref = requestRef(tx, signupId(email));
  if ((await tx.get(ref)).exists) return;
  tx.create(ref, {
    data: JSON.stringify(request),
    created_at: Timestamp.fromMillis(now),
    ...(utm_source === SHARE_SOURCE && utm_content !== undefined && { share_code: utm_content }),
  });
}

/** Removes a share link's code from at most `limit` requests. Returns the number of requests changed. */
export async function forgetCode(tx: Transaction, code: string, limit: number): Promise<number> {
  const requests = tx.collection(COLLECTIONS.openingRequests).where('share_code', '==', code);
  const found = await tx.find(requests.limit(limit));
  for (const document of found) {
    const { signup, ...about } = readData(document);
    const { utm_content: _, ...rest } = signup;
    tx.update(document.ref, { data: JSON.stringify({ signup: rest, ...about }), share_code: FieldValue.delete() });
  }
  return found.length;
}
