import { DAY_MS } from 'early-access-kit/core';
import {
  type LinkPurpose,
  linksToStore,
  type MessageKind,
  type MessageTokens,
  type StoredLink,
} from 'early-access-server/stores';
import { type DocumentSnapshot, type Firestore, Timestamp, type Transaction } from 'firebase-admin/firestore';
import type { DocumentReader } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, text } from '../fields.ts';

/** How long a link that has expired is stored, so that its page can say so, until a TTL policy deletes it. */
const STORED_MS = 60 * DAY_MS;

interface StoredToken extends StoredLink {
  readonly signupId: string;
}

/** Stores the hashes of an attempt's tokens. */
export function storeTokens(
  firestore: Firestore,
  transaction: Transaction,
  tokens: MessageTokens,
  { kind, signupId, now }: { readonly kind: MessageKind; readonly signupId: string; readonly now: number },
): void {
  for (const { hash, purpose, expiresAt } of linksToStore(tokens, kind, now)) {
    // An unsubscribe link works as long as the signup is stored.
    const expiry = purpose === 'unsubscribe' ? {} : { expires_at: Timestamp.fromMillis(expiresAt + STORED_MS) };
    const ref = firestore.collection(COLLECTIONS.personTokens).doc(hash);
    transaction.set(ref, { purpose, signup_id: signupId, valid_until: expiresAt, used_at: null, ...expiry });
  }
}

/** Null if there is no such link for this purpose. */
export async function findToken(
  firestore: Firestore,
  reader: DocumentReader,
  hash: string,
  purpose: LinkPurpose,
): Promise<StoredToken | null> {
  const [snapshot] = await reader.getAll(firestore.collection(COLLECTIONS.personTokens).doc(hash));
  return snapshot?.exists && snapshot.get('purpose') === purpose ? toToken(snapshot) : null;
}

/** All links that were sent to a person. */
export async function findTokens(
  firestore: Firestore,
  transaction: Transaction,
  signupId: string,
): Promise<readonly DocumentSnapshot[]> {
  const tokens = firestore.collection(COLLECTIONS.personTokens).where('signup_id', '==', signupId);
  return (await transaction.get(tokens)).docs;
}

/** Prepares to mark the links of this purpose as used: reads now, and writes when the returned function is called. */
export async function prepareUse(
  firestore: Firestore,
  transaction: Transaction,
  signupId: string,
  purpose: LinkPurpose,
): Promise<(now: number) => void> {
  const unused = (await findTokens(firestore, transaction, signupId)).filter(
    (token) => token.get('purpose') === purpose && token.get('used_at') === null,
  );
  return (now) => {
    for (const { ref } of unused) transaction.update(ref, { used_at: now });
  };
}

function toToken(snapshot: DocumentSnapshot): StoredToken {
  return {
    signupId: text(snapshot, 'signup_id'),
    expiresAt: integer(snapshot, 'valid_until'),
    isUsed: snapshot.get('used_at') !== null,
  };
}
