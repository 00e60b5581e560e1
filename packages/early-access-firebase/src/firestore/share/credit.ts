import {
  CREDITS,
  type Credit,
  decideCredit,
  domainKey,
  MAX_SHARED_PER_DOMAIN,
  MAX_SHARED_PER_NETWORK,
  mailboxKey,
  PLACE_STEP_MS,
  SHARE_SOURCE,
  SHARED_WINDOW_MS,
} from 'early-access-server/internal';
import {
  type DocumentData,
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Query,
  Timestamp,
} from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { textOrNull } from '../fields.ts';
import { forgetCode } from '../list/opening-requests.ts';
import { getPublicId, readStateBeforeBounce, type StoredPerson } from '../list/person.ts';
import { signupTime, toSignup } from '../signups.ts';

/**
 * The `credit` of a referred person with a confirmed signup. It is stored with that person, so that it moves and is
 * erased with them.
 */
interface StoredCredit {
  /** The public id of the referrer. */
  readonly by: string;
  /** Null: the person does not count as a referral. */
  readonly state: Credit | null;
  /** Compared with later referrals by `decideCredit`. Only stored if the person counts. */
  readonly mailbox?: string;
  readonly domain: string;
  readonly network: string | null;
}

/** Below this number of referrals, no domain or network can have too many. */
const FEW = Math.min(MAX_SHARED_PER_DOMAIN, MAX_SHARED_PER_NETWORK);
/** Referrals, and sessions, from which one transaction removes a code. */
const ERASED_AT_ONCE = 100;

/** Returns the fields for a new person's place in line. */
export function firstPlace(createdAt: number) {
  return { referrals: 0, place_at: createdAt };
}

/** Changes the referral count of a link's owner, and with it their place in line. */
export function addReferrals(tx: Transaction, owner: DocumentReference, change: number): void {
  tx.update(owner, {
    referrals: FieldValue.increment(change),
    place_at: FieldValue.increment(-change * PLACE_STEP_MS),
  });
}

/** Returns the code of the share link that a person signed up through. */
export function readSharedCode(signup: DocumentData): string | null {
  const { utm_source, utm_content } = toSignup(signup);
  return utm_source === SHARE_SOURCE ? (utm_content ?? null) : null;
}

export function readCredit(signup: DocumentSnapshot): Pick<StoredCredit, 'by' | 'state'> | null {
  const by = textOrNull(signup, 'credit.by');
  return by === null ? null : { by, state: CREDITS.find((state) => state === signup.get('credit.state')) ?? null };
}

/** Finds the person with the code. */
export function ownerOf(reader: DocumentReader, code: string): Query {
  return reader.collection(COLLECTIONS.signups).where('share_code', '==', code).limit(1);
}

/** Finds everyone who signed up through a link, newest first. */
export function signupsThrough(reader: DocumentReader, code: string): Query {
  return sharedSignups(reader).where('utm_content', '==', code);
}

export function sharedSignups(reader: DocumentReader): Query {
  const signups = reader.collection(COLLECTIONS.signups);
  return signups.where('utm_source', '==', SHARE_SOURCE).orderBy('created_at', 'desc');
}

/**
 * Gives a person's referrer their credit. Returns the field to store with the referred person. `email` is their
 * confirmed address, which is not stored yet.
 */
export async function creditReferrer(
  tx: Transaction,
  { document }: StoredPerson,
  email: string,
): Promise<{ credit?: StoredCredit }> {
  const signup = document.data() ?? {};
  const code = readSharedCode(signup);
  const isPending = [signup.state, readStateBeforeBounce(document)].includes('pending');
  if (code === null || !isPending || signup.credit !== undefined) return {};
  const signups = tx.collection(COLLECTIONS.signups);
  const [owner] = await tx.find(ownerOf(tx, code));
  if (owner === undefined) return {};
  const [by, mailbox, domain, network] = [
    getPublicId(owner),
    mailboxKey(email),
    domainKey(email),
    textOrNull(document, 'share_network'),
  ];
  const repeated = await tx.find(signups.where('credit.mailbox', '==', mailbox).limit(1));
  const at = signupTime(signup);
  const others = signups
    .where('credit.by', '==', by)
    .orderBy('created_at', 'desc')
    .where('created_at', '>=', Timestamp.fromMillis(at - SHARED_WINDOW_MS))
    .where('created_at', '<=', Timestamp.fromMillis(at + SHARED_WINDOW_MS));
  const otherSignups = await tx.count(others);
  const countOthers = async (field: string, value: string) =>
    otherSignups < FEW ? 0 : tx.count(others.where(field, '==', value));
  const state = decideCredit({
    friend: mailbox,
    referrer: mailboxKey(String(owner.get('email'))),
    isKnown: signup.imported === true || (signup.unsubscribed_at ?? null) !== null,
    isRepeated: repeated.length > 0,
    signups: otherSignups + 1,
    ofDomain: (await countOthers('credit.domain', domain)) + 1,
    ofNetwork: network === null ? 0 : (await countOthers('credit.network', network)) + 1,
  });
  if (state === 'counted') addReferrals(tx, owner.ref, 1);
  return { credit: { by, state, domain, network, ...(state !== null && { mailbox }) } };
}

/**
 * Removes an erased person's code from all people and sessions that contain it, and takes back the credit that their
 * referrer got for them. `partial`: there may be more than one transaction can write, so erasing continues in another
 * one.
 */
export async function eraseShares(tx: Transaction, erased: DocumentSnapshot): Promise<'complete' | 'partial'> {
  const codes = ['share_code', 'entered.share_code'].flatMap((field) => textOrNull(erased, field) ?? []);
  const [utm_content, credit] = [FieldValue.delete(), FieldValue.delete()];
  let isComplete = true;
  for (const code of codes) {
    const friends = await tx.find(signupsThrough(tx, code).limit(ERASED_AT_ONCE));
    const sessions = tx.collection(COLLECTIONS.sessions).where('utm_content', '==', code);
    const visits = await tx.find(sessions.limit(ERASED_AT_ONCE));
    for (const { ref } of friends) tx.update(ref, { utm_content, credit });
    for (const { ref } of visits) tx.update(ref, { utm_content });
    const requests = await forgetCode(tx, code, ERASED_AT_ONCE);
    if (Math.max(friends.length, visits.length, requests) === ERASED_AT_ONCE) isComplete = false;
  }
  if (!isComplete) return 'partial';
  const own = readCredit(erased);
  if (own?.state !== 'counted') return 'complete';
  const [owner] = await tx.find(tx.collection(COLLECTIONS.signups).where('person_id', '==', own.by));
  if (owner !== undefined) addReferrals(tx, owner.ref, -1);
  return 'complete';
}
