import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import {
  addEvents,
  type Clock,
  type EnteredSignup,
  enteredSignup,
  firstStep,
  isListClosed,
  type ListClosed,
  mailboxKey,
  needsConfirmation,
  signupResult,
} from 'early-access-server/internal';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  Timestamp,
} from 'firebase-admin/firestore';
import { changeRows } from '../analytics/archive.ts';
import { signupRow } from '../analytics/documents.ts';
import { signupId, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { text, timestamp } from '../fields.ts';
import { messageRef, queueFirstMessage } from '../message-document.ts';
import { firstPlace } from '../share/credit.ts';
import { signupTime, toSignup } from '../signups.ts';
import { recordEvent } from '../webhooks/event-recorder.ts';
import { statusRef, takePlace } from './list-status.ts';
import { keepRequest, requestRef } from './opening-requests.ts';
import {
  findOptOut,
  firstFields,
  getPublicId,
  lastMessageId,
  personRefs,
  signupIdOfDocument,
  storedState,
} from './person.ts';
import { findTokens } from './tokens.ts';

export interface EnrolmentOptions {
  /** Signups have to be confirmed. */
  readonly confirm: boolean;
  /** Signups that need no confirmation queue the welcome email. */
  readonly welcomeEmail: boolean;
  readonly language?: string | null;
  readonly network?: string | null;
  /** The signup belongs to a request for the opening, which is deleted with it. */
  readonly ofRequest?: boolean;
  readonly now: number;
}

const PAGE = 200;
/** Firestore may make a signup visible a little later than others with a later time. */
const VISIBLE_MS = 60_000;

/**
 * Enrols browsers' signups whose trigger failed, and completes people stored by earlier versions. Firestore cannot
 * query a missing state, so this goes through all signups, oldest first. The position is stored after each page, so
 * each signup is read about once.
 */
export async function enrolMissed(
  firestore: Firestore,
  clock: Clock,
  options: Pick<EnrolmentOptions, 'confirm' | 'welcomeEmail'>,
  hasTime: () => boolean,
) {
  const progress = firestore.collection(COLLECTIONS.listProgress).doc('mailboxes');
  const all = firestore.collection(COLLECTIONS.signups).orderBy('created_at').orderBy(FieldPath.documentId());
  let position: unknown = (await progress.get()).get('position');
  while (hasTime()) {
    const { docs } = await (Array.isArray(position) ? all.startAfter(...position) : all).limit(PAGE).get();
    for (const document of docs) {
      if (storedState(document) === null) await enrol(firestore, document.id, { ...options, now: clock() });
      else if (document.get('mailbox') === undefined) await transact(firestore, (tx) => storeMailbox(tx, document.ref));
    }
    const last = docs.findLast((document) => signupTime(document.data()) < clock() - VISIBLE_MS);
    if (last === undefined) return;
    position = [timestamp(last, 'created_at'), last.id];
    await progress.set({ position });
  }
}

/** Stores the mailbox of a person who was stored by a version without that field. */
async function storeMailbox(tx: Transaction, ref: DocumentReference): Promise<void> {
  const email: unknown = (await tx.get(ref)).get('email');
  if (typeof email === 'string') tx.update(ref, { mailbox: mailboxKey(email) });
}

/**
 * Creates an enrolled signup document, like the browser's adapter, and queues the first email with it. If the person
 * has unsubscribed, the new data waits for their confirmation. If the list is closed, at most a request is stored.
 * `signup` must be valid and normalized.
 */
export function createSignup(
  firestore: Firestore,
  signup: EmailSignup,
  options: EnrolmentOptions,
): Promise<SignupResult | ListClosed> {
  const id = signupId(signup.email);
  const { signup: ref, left } = personRefs(firestore, id);
  const decide = async (tx: Transaction): Promise<SignupResult | ListClosed> => {
    const [current, former, status] = await tx.getAll(ref, left, statusRef(tx));
    const stored = current?.exists ? current : former;
    const submissions = [stored?.get('submission_id'), stored?.get('entered.submission_id')];
    if (stored?.exists && submissions.includes(signup.submission_id)) {
      return signupResult(storedState(stored) ?? 'subscribed', options.confirm);
    }
    if (current?.exists) return 'duplicate';
    const closed = await takePlace(tx, status, options.now);
    if (closed !== null) {
      const { language = null, network = null, now } = options;
      if (closed.takes_requests) await keepRequest(tx, { signup, language, network }, now);
      return closed;
    }
    if (former?.exists) {
      await signUpAgain(tx, former, enteredSignup(signup, options.language), options.now);
      return signupResult('pending', options.confirm);
    }
    const fields = await completeSignup(tx, signup.email, options);
    const { language, network, now } = options;
    const about = { ...(language && { language }), ...(network && { share_network: network }), ...firstPlace(now) };
    tx.create(ref, { ...signup, ...about, created_at: Timestamp.fromMillis(now), ...fields });
    return signupResult(fields.state, options.confirm);
  };
  return transact(firestore, async (tx) => {
    const result = await decide(tx);
    if (options.ofRequest && !isListClosed(result)) tx.delete(requestRef(tx, id));
    return result;
  });
}

/**
 * Completes a signup that a browser has written, in one transaction: adds its state and public id, queues its first
 * message, and notifies endpoints. If the person had unsubscribed, the new data waits for their confirmation. All other
 * code expects enrolled signups, so this runs before a message is claimed. A signup that already has a state is not
 * changed.
 */
export function enrol(firestore: Firestore, id: string, options: EnrolmentOptions): Promise<void> {
  const { signup: ref, left } = personRefs(firestore, id);
  return transact(firestore, async (tx) => {
    const [signup, former] = await tx.getAll(ref, left);
    if (!signup?.exists || storedState(signup) !== null) return;
    const data = signup.data() ?? {};
    if (!former?.exists) {
      const fields = await completeSignup(tx, String(data.email), options, getPublicId(signup));
      tx.update(ref, { ...fields, ...firstPlace(signupTime(data)) });
      return;
    }
    // The person is counted once, as the first signup.
    await changeRows(tx, [{ row: signupRow(data), replacement: null }]);
    await signUpAgain(tx, former, enteredSignup(toSignup(data)), options.now);
  });
}

/** Writes everything that belongs to a new signup. Returns fields to store with it in the same transaction. */
async function completeSignup(
  tx: Transaction,
  email: string,
  { confirm, welcomeEmail, now }: EnrolmentOptions,
  publicId?: string,
) {
  const first = firstStep({ confirm: needsConfirmation(confirm, await findOptOut(tx, email)), welcomeEmail });
  if (first.message !== null) queueFirstMessage(tx, first.message, signupId(email), now);
  // The start of the series for this person. People who have to confirm start then.
  const begins = first.state === 'subscribed' && { subscribed_at: now };
  const fields = { ...firstFields(email, first.state, publicId), ...begins };
  await recordEvent(tx, 'signup.created', fields.person_id, now);
  return fields;
}

export function firstKind(confirm: boolean): 'confirmation' | 'welcome' {
  return confirm ? 'confirmation' : 'welcome';
}

/**
 * Stores a new signup of a person who unsubscribed, keeping everything else, and queues its confirmation. Links of
 * earlier confirmations stop working.
 */
async function signUpAgain(tx: Transaction, former: DocumentSnapshot, entered: EnteredSignup, now: number) {
  const id = signupIdOfDocument(former.id);
  const person_id = getPublicId(former);
  await recordEvent(tx, 'signup.created', person_id, now);
  for (const token of await findTokens(tx, id)) {
    if (token.get('purpose') === 'confirm' && token.get('used_at') === null) tx.update(token.ref, { valid_until: now });
  }
  // The trigger on new signups claims the first message by the signup's id.
  const first = await tx.get(messageRef(tx, id));
  const moved = `${id}.before-${now}`;
  if (first.exists) tx.set(messageRef(tx, moved), first.data() ?? {});
  const last = lastMessageId(former);
  queueFirstMessage(tx, 'confirmation', id, now, last === id ? moved : last);
  tx.set(personRefs(tx, id).signup, {
    ...former.data(),
    ...firstFields(text(former, 'email'), 'pending', person_id),
    ...{ entered, entered_at: now, last_message: id },
    timeline: addEvents(former.get('timeline'), { at: now, event: 'signup', by: null }),
  });
  tx.delete(former.ref);
}
