import type { EmailSignup, SignupResult } from 'early-access-kit/core';
import { addEvents, type Clock, firstState, needsConfirmation, signupResult } from 'early-access-server/stores';
import { type DocumentSnapshot, FieldPath, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { changeRows } from '../analytics/archive.ts';
import { isCounted, signupRow } from '../analytics/documents.ts';
import { signupId, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, timestamp } from '../fields.ts';
import { findMessages, queueFirstMessage } from '../mail/message-document.ts';
import { signupTime } from '../signups.ts';
import { recordEvent } from '../webhooks/event-recorder.ts';
import { firstFields, getPublicId, personRefs, storedState } from './person.ts';
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
export async function enrolMissed(firestore: Firestore, clock: Clock, confirm: boolean, hasTime: () => boolean) {
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
 * Creates the document that the browser's adapter creates, enrolled, and queues the first email with it. Replaces that of a person who has
 * unsubscribed. `signup` is valid and normalised.
 */
export function createSignup(
  firestore: Firestore,
  signup: EmailSignup,
  options: EnrolmentOptions,
): Promise<SignupResult> {
  const id = signupId(signup.email);
  const { signup: ref, left } = personRefs(firestore, id);
  return transact(firestore, async (tx) => {
    const documents = await tx.getAll(ref, left);
    const [current, former] = documents;
    const stored = current?.exists ? current : former;
    if (stored?.exists && stored.get('submission_id') === signup.submission_id) {
      return signupResult(storedState(stored) ?? 'subscribed');
    }
    if (current?.exists) return 'duplicate';
    const fields = await completeSignup(tx, documents, id, options);
    tx.create(ref, { ...signup, created_at: Timestamp.fromMillis(options.now), ...fields });
    return signupResult(fields.state);
  });
}

/**
 * Completes a signup that a browser has written, in one transaction: it gets its state and its public id, its first message is queued, and
 * endpoints get the event. It replaces the records of a person who had unsubscribed. All other code expects enrolled signups, so
 * this runs before a message is claimed. A signup that already has a state is not changed.
 */
export function enrol(firestore: Firestore, id: string, options: EnrolmentOptions): Promise<void> {
  const { signup: ref, left } = personRefs(firestore, id);
  return transact(firestore, async (tx) => {
    const stored = await tx.getAll(ref, left);
    const [signup] = stored;
    if (!signup?.exists || storedState(signup) !== null) return;
    tx.update(ref, await completeSignup(tx, stored, id, options));
  });
}

/**
 * Writes everything that comes with a signup, and removes what is stored about a person who had unsubscribed. Returns the fields to store
 * with the signup, in the same transaction. `current` is its document, and `former` the one from before they unsubscribed.
 */
async function completeSignup(
  tx: Transaction,
  [current, former]: readonly DocumentSnapshot[],
  id: string,
  { confirm, now }: EnrolmentOptions,
) {
  const replaced = former?.exists ? former : null;
  if (replaced !== null) await removeFormer(tx, id, replaced);
  const isPending = needsConfirmation(confirm, replaced !== null);
  queueFirstMessage(tx, firstKind(isPending), id, now);
  const known = replaced ?? current;
  const fields = firstFields(firstState(isPending), known && getPublicId(known));
  await recordEvent(tx, 'signup.created', fields.person_id, now);
  if (replaced === null) return fields;
  const signedUp = { at: signupTime(replaced.data() ?? {}), event: 'signup', by: null } as const;
  return {
    ...fields,
    unsubscribed_at: integer(replaced, 'unsubscribed_at'),
    timeline: addEvents(replaced.get('timeline'), signedUp),
  };
}

export function firstKind(confirm: boolean): 'confirmation' | 'welcome' {
  return confirm ? 'confirmation' : 'welcome';
}

/** Removes everything about a person who had unsubscribed and signs up again. */
async function removeFormer(tx: Transaction, id: string, former: DocumentSnapshot): Promise<void> {
  for (const { ref } of [...(await findMessages(tx, id)), ...(await findTokens(tx, id)), former]) tx.delete(ref);
  const signup = former.data() ?? {};
  if (isCounted(signup)) await changeRows(tx, [{ row: signupRow(signup), replacement: null }]);
}
