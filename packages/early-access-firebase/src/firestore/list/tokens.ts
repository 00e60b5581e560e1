import { DAY_MS } from 'early-access-kit/internal';
import {
  type LinkPurpose,
  linksToStore,
  MESSAGE_KINDS,
  type MessageKind,
  type MessageTokens,
  type StoredLink,
} from 'early-access-server/internal';
import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { enumValue, integer, text, textOrNull } from '../fields.ts';
import { findPerson } from './person.ts';

/** How long an expired link is stored for an explanation on its page, until a TTL policy deletes it. */
const STORED_MS = 60 * DAY_MS;

const NO_LINK = { token: null, person: null, campaignId: null };

/** Stores the hashes of an attempt's tokens. */
export function storeTokens(tx: Transaction, tokens: MessageTokens, kind: MessageKind, signupId: string, now: number) {
  for (const link of linksToStore(tokens, kind, now)) storeLink(tx, link, kind, signupId);
}

export function storeLink(
  tx: Transaction,
  { hash, purpose, expiresAt }: ReturnType<typeof linksToStore>[number],
  kind: MessageKind,
  signupId: string,
  campaignId: string | null = null,
) {
  // An unsubscribe link works as long as the signup is stored.
  const expiry = purpose === 'unsubscribe' ? {} : { expires_at: Timestamp.fromMillis(expiresAt + STORED_MS) };
  const campaign = campaignId === null ? {} : { campaign_id: campaignId };
  const ref = tx.collection(COLLECTIONS.personTokens).doc(hash);
  tx.set(ref, { purpose, kind, signup_id: signupId, valid_until: expiresAt, used_at: null, ...campaign, ...expiry });
}

/**
 * Returns the link, its recipient, and the campaign of an unsubscribe link. All are null if no link with one of the
 * purposes exists.
 */
export async function findLink(reader: DocumentReader, hash: string, ...purposes: LinkPurpose[]) {
  const [snapshot] = await reader.getAll(reader.collection(COLLECTIONS.personTokens).doc(hash));
  if (!snapshot?.exists && purposes.includes('unsubscribe')) return findLinkOfCampaign(reader, hash);
  const purpose = purposes.find((one) => one === snapshot?.get('purpose'));
  if (snapshot === undefined || purpose === undefined) return NO_LINK;
  const token: StoredLink = {
    purpose,
    kind: enumValue(snapshot, 'kind', MESSAGE_KINDS),
    expiresAt: integer(snapshot, 'valid_until'),
    isUsed: snapshot.get('used_at') !== null,
  };
  const person = await findPerson(reader, text(snapshot, 'signup_id'));
  return { token, person, campaignId: textOrNull(snapshot, 'campaign_id') };
}

/**
 * Finds the link in a campaign's email, whose hash is stored with the message. It works as long as the message exists.
 */
async function findLinkOfCampaign(reader: DocumentReader, hash: string) {
  const { docs } = await reader.collection(COLLECTIONS.mails).where('links', 'array-contains', hash).get();
  const [message] = docs;
  if (message === undefined) return NO_LINK;
  const expiresAt = Number.MAX_SAFE_INTEGER;
  const token: StoredLink = { purpose: 'unsubscribe', kind: 'campaign', expiresAt, isUsed: false };
  const person = await findPerson(reader, text(message, 'signup_id'));
  return { token, person, campaignId: textOrNull(message, 'campaign_id') };
}

export function findTokens(tx: Transaction, signupId: string): Promise<readonly DocumentSnapshot[]> {
  return tx.find(tx.collection(COLLECTIONS.personTokens).where('signup_id', '==', signupId));
}

/** Marks a person's links of this purpose as used. */
export async function markLinksUsed(tx: Transaction, signupId: string, purpose: LinkPurpose, now: number) {
  for (const token of await findTokens(tx, signupId)) {
    if (token.get('purpose') === purpose && token.get('used_at') === null) tx.update(token.ref, { used_at: now });
  }
}
