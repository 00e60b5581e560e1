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
  /** Whether the list's signups have to be confirmed. */
  readonly confirm: boolean;
  /** Whether a signup that need not be confirmed queues the welcome email. */
  readonly welcomeEmail: boolean;
  readonly language?: string | null;
  readonly network?: string | null;
  /** Whether it is the signup of a request for the opening, which is deleted with it. */
  readonly ofRequest?: boolean;
  readonly now: number;
}

const PAGE = 200;
/** Firestore may show a signup a little later than others with a later time. */
const VISIBLE_MS = 60_000;

/**
 * Enrols browsers' signups whose trigger failed, and completes people of earlier versions. Firestore has no query for a
 * missing state, so this goes through all signups, oldest first. The position is stored after each page, so each signup
 * is read about once.
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

/** Stores the mailbox of a person whom a version that did not know it has stored. */
async function storeMailbox(tx: Transaction, ref: DocumentReference): Promise<void> {
  const email: unknown = (await tx.get(ref)).get('email');
  if (typeof email === 'string') tx.update(ref, { mailbox: mailboxKey(email) });
}

/**
 * Creates the document that the browser's adapter creates, enrolled, and queues the first email with it. For a person
 * who has unsubscribed, what is entered waits for their confirmation. A list that is closed stores a request at most.
 * `signup` is valid and normalized.
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
 * Completes a signup that a browser has written, in one transaction: it gets its state and its public id, its first
 * message is queued, and endpoints get the event. If the person had unsubscribed, it becomes what waits for their
 * confirmation. All other code expects enrolled signups, so this runs before a message is claimed. A signup that
 * already has a state is not changed.
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
    // They are counted once, as the first signup.
    await changeRows(tx, [{ row: signupRow(data), replacement: null }]);
    await signUpAgain(tx, former, enteredSignup(toSignup(data)), options.now);
  });
}

/** Writes everything that comes with a new signup. Returns the fields to store with it, in the same transaction. */
async function completeSignup(
  tx: Transaction,
  email: string,
  { confirm, welcomeEmail, now }: EnrolmentOptions,
  publicId?: string,
) {
  const first = firstStep({ confirm: needsConfirmation(confirm, await findOptOut(tx, email)), welcomeEmail });
  if (first.message !== null) queueFirstMessage(tx, first.message, signupId(email), now);
  // When the series after signing up begins for them; people who have to confirm begin then.
  const begins = first.state === 'subscribed' && { subscribed_at: now };
  const fields = { ...firstFields(email, first.state, publicId), ...begins };
  await recordEvent(tx, 'signup.created', fields.person_id, now);
  return fields;
}

export function firstKind(confirm: boolean): 'confirmation' | 'welcome' {
  return confirm ? 'confirmation' : 'welcome';
}

/**
 * Stores a new signup of a person who has unsubscribed, about whom everything else stays, and queues its confirmation.
 * The links of earlier confirmations no longer confirm.
 */
async function signUpAgain(tx: Transaction, former: DocumentSnapshot, entered: EnteredSignup, now: number) {
  const id = signupIdOfDocument(former.id);
  const person_id = getPublicId(former);
  await recordEvent(tx, 'signup.created', person_id, now);
  for (const token of await findTokens(tx, id)) {
    if (token.get('purpose') === 'confirm' && token.get('used_at') === null) tx.update(token.ref, { valid_until: now });
  }
  // The trigger on new signups claims the first message by the id of the signup.
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
