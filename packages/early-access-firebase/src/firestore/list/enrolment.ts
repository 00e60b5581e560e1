import { firstState, needsConfirmation } from 'early-access-server/stores';
import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore';
import { prepareChanges } from '../analytics/archive.ts';
import { signupRow } from '../analytics/documents.ts';
import { transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { messagesOf, newMessageDocument } from '../mail/message-document.ts';
import { prepareRecord } from '../webhooks/event-recorder.ts';
import { documentsOf, firstFields, publicIdOf, signupIdOfDocument, storedState } from './person.ts';
import { tokensOf } from './tokens.ts';

export interface EnrolmentOptions {
  /** Whether the list's signups have to be confirmed. */
  readonly confirm: boolean;
  readonly now: number;
}

/**
 * Completes a signup that a browser has written, in one transaction: it gets its state and its public id, its first message is queued, and
 * endpoints get the event. It replaces what is stored about a person who had unsubscribed. Everything else expects enrolled signups, so
 * this runs before a message is claimed. A signup that has its state stays as it is.
 */
export function enrol(firestore: Firestore, id: string, { confirm, now }: EnrolmentOptions): Promise<void> {
  const { signup: ref, left } = documentsOf(firestore, id);
  const messageRef = firestore.collection(COLLECTIONS.mails).doc(id);
  return transact(firestore, async (transaction) => {
    const [signup, former, message] = await transaction.getAll(ref, left, messageRef);
    if (!signup?.exists || storedState(signup) !== null) return;
    const replaced = former?.exists ? former : null;
    const remove = replaced === null ? () => {} : await prepareReplacement(firestore, transaction, replaced);
    // One of an earlier release has its message already. It is not new, and is subscribed.
    const isNew = !message?.exists || replaced !== null;
    const record = isNew ? await prepareRecord(firestore, transaction, 'signup.created') : () => {};
    remove();
    const isPending = isNew && needsConfirmation(confirm, replaced !== null);
    const fields = firstFields(firstState(isPending), { person_id: publicIdOf(signup), former: replaced });
    transaction.update(ref, { ...fields });
    record(fields.person_id, now);
    if (isNew) {
      transaction.set(messageRef, newMessageDocument({ kind: firstKind(isPending), signup_id: id }, now));
    }
  });
}

export function firstKind(confirm: boolean): 'confirmation' | 'welcome' {
  return confirm ? 'confirmation' : 'welcome';
}

/**
 * Prepares to remove everything about a person who had unsubscribed and signs up again: reads now, and writes when the returned function is
 * called, in the same transaction.
 */
export async function prepareReplacement(
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
