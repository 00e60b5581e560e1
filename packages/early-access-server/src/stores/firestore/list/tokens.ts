import {
  type DocumentReference,
  type DocumentSnapshot,
  type Firestore,
  Timestamp,
  type Transaction,
} from 'firebase-admin/firestore';
import { type LinkPurpose, linkExpiry, linksOf, type MessageKind } from '../../../app/mail/message-kinds.ts';
import { hashToken, newToken } from '../../../app/tokens.ts';
import type { MessageTokens } from '../../store.ts';
import { COLLECTIONS, type DocumentReader } from '../database.ts';

/** How long a link that has expired is stored, so that its page can say so, until a TTL policy deletes it. */
const STORED_MS = 60 * 86_400_000;

/** A link that was sent to a person. */
export interface StoredToken {
  readonly ref: DocumentReference;
  readonly signupId: string;
  readonly validUntil: number;
  readonly isUsed: boolean;
}

/** The tokens of an attempt to send a message of this kind. */
export function newTokens(kind: MessageKind): MessageTokens {
  const purposes = linksOf(kind);
  return {
    link: purposes.some((purpose) => purpose !== 'unsubscribe') ? newToken() : null,
    unsubscribe: purposes.includes('unsubscribe') ? newToken() : null,
  };
}

/** Stores the hashes of an attempt's tokens. */
export function storeTokens(
  firestore: Firestore,
  transaction: Transaction,
  { link, unsubscribe }: MessageTokens,
  { kind, signupId, now }: { readonly kind: MessageKind; readonly signupId: string; readonly now: number },
): void {
  for (const purpose of linksOf(kind)) {
    const token = purpose === 'unsubscribe' ? unsubscribe : link;
    if (token === null) continue;
    const valid_until = linkExpiry(purpose, now);
    // An unsubscribe link works as long as the signup is stored.
    const expiry = purpose === 'unsubscribe' ? {} : { expires_at: Timestamp.fromMillis(valid_until + STORED_MS) };
    const ref = firestore.collection(COLLECTIONS.personTokens).doc(hashToken(token));
    transaction.set(ref, { purpose, signup_id: signupId, valid_until, used_at: null, ...expiry });
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
export async function tokensOf(
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
  const unused = (await tokensOf(firestore, transaction, signupId)).filter(
    (token) => token.get('purpose') === purpose && token.get('used_at') === null,
  );
  return (now) => {
    for (const { ref } of unused) transaction.update(ref, { used_at: now });
  };
}

function toToken(snapshot: DocumentSnapshot): StoredToken {
  const [signupId, validUntil]: unknown[] = [snapshot.get('signup_id'), snapshot.get('valid_until')];
  if (typeof signupId !== 'string' || typeof validUntil !== 'number') throw new TypeError('a token is unreadable');
  return { ref: snapshot.ref, signupId, validUntil, isUsed: snapshot.get('used_at') !== null };
}
