import { type Clock, firstState, needsConfirmation } from 'early-access-server/stores';
import { type DocumentSnapshot, FieldPath, type Firestore, type Transaction } from 'firebase-admin/firestore';
import { prepareChanges } from '../analytics/archive.ts';
import { isCounted, signupRow } from '../analytics/documents.ts';
import { transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { timestamp } from '../fields.ts';
import { findMessages, queueFirstMessage } from '../mail/message-document.ts';
import { signupTime } from '../signups.ts';
import { prepareRecord } from '../webhooks/event-recorder.ts';
import { firstFields, getPublicId, personRefs, signupIdOfDocument, storedState } from './person.ts';
import { findTokens } from './tokens.ts';

export interface EnrolmentOptions {
  /** Whether the list's signups have to be confirmed. */
  readonly confirm: boolean;
  readonly now: number;
}

const PAGE = 200;
/** Firestore may show a signup a little later than others with a later time. */
const VISIBLE_MS = 60_000;

/**
 * Enrols browsers' signups whose trigger failed. Firestore has no query for a missing state, so this goes through all signups, oldest
 * first. The position is stored after each page, so each signup is read about once.
 */
export async function enrolMissed(
  firestore: Firestore,
  clock: Clock,
  confirm: boolean,
  hasTime: () => boolean,
): Promise<void> {
  const progress = firestore.collection(COLLECTIONS.listProgress).doc('enrolment');
  const all = firestore.collection(COLLECTIONS.signups).orderBy('created_at').orderBy(FieldPath.documentId());
  let position: unknown = (await progress.get()).get('position');
  while (hasTime()) {
    const { docs } = await (Array.isArray(position) ? all.startAfter(...position) : all).limit(PAGE).get();
    for (const document of docs) {
      if (storedState(document) === null) await enrol(firestore, document.id, { confirm, now: clock() });
    }
    const last = docs.findLast((document) => signupTime(document.data()) < clock() - VISIBLE_MS);
    if (last === undefined) return;
    position = [timestamp(last, 'created_at'), last.id];
    await progress.set({ position });
  }
}

/**
 * Completes a signup that a browser has written, in one transaction: it gets its state and its public id, its first message is queued, and
 * endpoints get the event. It replaces the records of a person who had unsubscribed. All other code expects enrolled signups, so
 * this runs before a message is claimed. A signup that already has a state is not changed.
 */
export function enrol(firestore: Firestore, id: string, options: EnrolmentOptions): Promise<void> {
  const { signup: ref, left } = personRefs(firestore, id);
  return transact(firestore, async (transaction) => {
    const [signup, former] = await transaction.getAll(ref, left);
    if (!signup?.exists || storedState(signup) !== null) return;
    const person = { id, person_id: getPublicId(signup), former };
    const { fields, complete } = await prepareEnrolment(firestore, transaction, person, options);
    transaction.update(ref, { ...fields });
    complete();
  });
}

interface NewPerson {
  readonly id: string;
  readonly person_id?: string;
  /** Their document from before they unsubscribed. */
  readonly former: DocumentSnapshot | undefined;
}

/**
 * Prepares the enrolment of a signup: reads now. Returns the fields to store with it, and a function that writes everything else in the
 * same transaction.
 */
export async function prepareEnrolment(
  firestore: Firestore,
  transaction: Transaction,
  { id, person_id, former }: NewPerson,
  { confirm, now }: EnrolmentOptions,
) {
  const replaced = former?.exists ? former : null;
  const remove = replaced === null ? () => {} : await prepareReplacement(firestore, transaction, replaced);
  const record = await prepareRecord(firestore, transaction, 'signup.created');
  const isPending = needsConfirmation(confirm, replaced !== null);
  const fields = firstFields(firstState(isPending), { person_id, former: replaced });
  const complete = () => {
    remove();
    queueFirstMessage(firestore, transaction, { kind: firstKind(isPending), signupId: id, now });
    record(fields.person_id, now);
  };
  return { fields, complete };
}

export function firstKind(confirm: boolean): 'confirmation' | 'welcome' {
  return confirm ? 'confirmation' : 'welcome';
}

/**
 * Prepares to remove everything about a person who had unsubscribed and signs up again: reads now, and writes when the returned function is
 * called, in the same transaction.
 */
async function prepareReplacement(
  firestore: Firestore,
  transaction: Transaction,
  replaced: DocumentSnapshot,
): Promise<() => void> {
  const id = signupIdOfDocument(replaced.id);
  const messages = await findMessages(firestore, transaction, id);
  const tokens = await findTokens(firestore, transaction, id);
  const signups = [replaced.data() ?? {}].filter(isCounted);
  const changes = signups.map((signup) => ({ row: signupRow(signup), replacement: null }));
  const removeFromArchive = await prepareChanges(firestore, transaction, changes);
  return () => {
    removeFromArchive();
    for (const { ref } of [...messages, ...tokens, replaced]) transaction.delete(ref);
  };
}
