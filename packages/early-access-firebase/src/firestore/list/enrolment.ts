import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import { firstState, needsConfirmation, type PersonState } from 'early-access-server/stores';
import { type DocumentSnapshot, type Firestore, Timestamp, type Transaction } from 'firebase-admin/firestore';
import { prepareChanges } from '../analytics/archive.ts';
import { signupRow } from '../analytics/documents.ts';
import { COLLECTIONS, type DocumentReader, PATIENT, signupId, transact } from '../database.ts';
import { type MessageDocument, messagesOf, newMessageDocument, readMessage } from '../mail/message-document.ts';
import { prepareRecord } from '../webhooks/event-recorder.ts';
import { documentsOf, firstFields, publicIdOf, signupIdOfDocument, storedState } from './person.ts';
import { tokensOf } from './tokens.ts';

/**
 * Creates the document that the browser's adapter creates, and queues the first email with it. Replaces that of a person who has
 * unsubscribed. `signup` is valid and normalised.
 */
export function createSignup(
  firestore: Firestore,
  signup: EmailSignup,
  { confirm, now }: { readonly confirm: boolean; readonly now: number },
): Promise<SignupResult> {
  const id = signupId(signup.email);
  const { signup: ref, left } = documentsOf(firestore, id);
  return transact(
    firestore,
    async (transaction) => {
      const [current, former] = await transaction.getAll(ref, left);
      const stored = current?.exists ? current : former;
      if (stored?.exists && stored.get('submission_id') === signup.submission_id) return 'created';
      if (current?.exists) return 'duplicate';
      const replaced = former?.exists ? former : null;
      const remove = replaced === null ? () => {} : await prepareReplacement(firestore, transaction, replaced);
      const record = await prepareRecord(firestore, transaction, 'signup.created');
      remove();
      const created_at = Timestamp.fromMillis(now);
      const isPending = needsConfirmation(confirm, replaced !== null);
      const fields = firstFields(firstState(isPending), { former: replaced });
      transaction.create(ref, { ...signup, created_at, ...fields });
      const message = newMessageDocument({ kind: firstKind(isPending), signup_id: id }, now);
      transaction.set(firestore.collection(COLLECTIONS.mails).doc(id), message);
      record(fields.person_id, now);
      return 'created';
    },
    PATIENT,
  );
}

/** What the application adds to a signup that a browser has written. */
export interface Enrolment {
  readonly state: PersonState;
  /** The first message; null if it is stored already. */
  readonly message: MessageDocument | null;
  /** The document of the same person from before they unsubscribed, which this signup replaces. */
  readonly replaced: DocumentSnapshot | null;
}

/** Null if the signup has its state. One of an earlier release has its message already, and is subscribed. */
export async function enrolmentOf(
  firestore: Firestore,
  reader: DocumentReader,
  { signup, message }: { readonly signup: DocumentSnapshot; readonly message: MessageDocument | null },
  { confirm, now }: { readonly confirm: boolean; readonly now: number },
): Promise<Enrolment | null> {
  if (storedState(signup) !== null) return null;
  const [left] = await reader.getAll(documentsOf(firestore, signup.id).left);
  const replaced = left?.exists ? left : null;
  if (message !== null && replaced === null) return { state: 'subscribed', message: null, replaced };
  const isPending = needsConfirmation(confirm, replaced !== null);
  const first = newMessageDocument({ kind: firstKind(isPending), signup_id: signup.id }, now);
  return { state: firstState(isPending), message: first, replaced };
}

export function firstKind(confirm: boolean): 'confirmation' | 'welcome' {
  return confirm ? 'confirmation' : 'welcome';
}

/** Prepares the enrolment: reads now, and writes when the returned function is called. Does not write the first message. */
export async function prepareEnrolment(
  firestore: Firestore,
  transaction: Transaction,
  signup: DocumentSnapshot,
  { state, message, replaced }: Enrolment,
): Promise<(now: number) => void> {
  const remove = replaced === null ? () => {} : await prepareReplacement(firestore, transaction, replaced);
  // One of an earlier release is not new.
  const record = message === null ? () => {} : await prepareRecord(firestore, transaction, 'signup.created');
  return (now) => {
    remove();
    const fields = firstFields(state, { person_id: publicIdOf(signup), former: replaced });
    transaction.update(signup.ref, { ...fields });
    record(fields.person_id, now);
  };
}

/** Prepares to remove everything about a person who had unsubscribed and signs up again. */
async function prepareReplacement(
  firestore: Firestore,
  transaction: Transaction,
  replaced: DocumentSnapshot,
): Promise<() => void> {
  const id = signupIdOfDocument(replaced.id);
  const messages = await messagesOf(firestore, transaction, id);
  const tokens = await tokensOf(firestore, transaction, id);
  const change = { row: signupRow(replaced.data() ?? {}), replacement: null };
  const removeFromArchive = await prepareChanges(firestore, transaction, [change]);
  return () => {
    removeFromArchive();
    for (const { ref } of [...messages, ...tokens, replaced]) transaction.delete(ref);
  };
}

/** Stores the state and the first message of a signup that has none yet, in one transaction. */
export function enrol(firestore: Firestore, id: string, options: { readonly confirm: boolean; readonly now: number }) {
  const messageRef = firestore.collection(COLLECTIONS.mails).doc(id);
  return transact(firestore, async (transaction) => {
    const [signup, stored] = await transaction.getAll(documentsOf(firestore, id).signup, messageRef);
    if (!signup?.exists) return;
    const message = readMessage(stored);
    const enrolment = await enrolmentOf(firestore, transaction, { signup, message }, options);
    if (enrolment === null) return;
    const write = await prepareEnrolment(firestore, transaction, signup, enrolment);
    write(options.now);
    if (enrolment.message !== null) transaction.set(messageRef, enrolment.message);
  });
}
