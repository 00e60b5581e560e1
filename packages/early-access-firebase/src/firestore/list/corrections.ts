import { StorageError } from 'early-access-kit/core';
import {
  addEvents,
  type Cause,
  type CorrectionRequest,
  EVENT_OF,
  findListed,
  isBeingSent,
  isPersonId,
  mailboxKey,
  mayReceive,
  nextState,
  type StoredEvent,
  timeAfter,
} from 'early-access-server/internal';
import type { DocumentData, DocumentReference } from 'firebase-admin/firestore';
import { type DocumentReader, signupId, type Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { findMessages, messageRef, newMessageDocument, readMessage } from '../message-document.ts';
import { creditReferrer } from '../share/credit.ts';
import { recordEvent } from '../webhooks/event-recorder.ts';
import {
  applyEntered,
  findListedPeople,
  lastMessageId,
  personRefs,
  readStateBeforeBounce,
  type StoredPerson,
  toStoredPerson,
} from './person.ts';
import { findTokens, storeLink } from './tokens.ts';

/** The message of a person's open correction. Its recipient is the new address. */
export function correctionRef(reader: DocumentReader, id: string): DocumentReference {
  return messageRef(reader, `${id}.correction`);
}

export async function askCorrection(
  tx: Transaction,
  publicId: string,
  email: string,
  by: Cause,
  now: number,
): Promise<CorrectionRequest> {
  const signups = tx.collection(COLLECTIONS.signups);
  const [found] = isPersonId(publicId) ? await tx.find(signups.where('person_id', '==', publicId)) : [];
  const person = toStoredPerson(found);
  if (person === null) return 'gone';
  if (!mayReceive(person.state, 'correction')) return 'unsubscribed';
  if (findListed(email, await findListedPeople(tx, [email])) !== undefined) return 'on-list';
  await queueCorrection(tx, person, email, now);
  const event = { at: now, event: 'ask-correction', by } as const;
  tx.update(person.document.ref, { timeline: addEvents(person.document.get('timeline'), event) });
  return 'queued';
}

/** Sends the email of the open correction again. */
export async function renewCorrection(tx: Transaction, person: StoredPerson, now: number): Promise<void> {
  const open = readMessage(await tx.get(correctionRef(tx, person.id)));
  if (open?.recipient != null) await queueCorrection(tx, person, open.recipient, now);
}

/** Replaces the open correction, which invalidates its link. */
async function queueCorrection(tx: Transaction, { id }: StoredPerson, recipient: string, now: number): Promise<void> {
  for (const token of await findTokens(tx, id)) if (token.get('purpose') === 'correct') tx.delete(token.ref);
  tx.set(correctionRef(tx, id), newMessageDocument({ kind: 'correction', signup_id: id, recipient }, now));
}

/**
 * Changes the person's address to that of the open correction: everything about them moves to ids derived from the new
 * SHA-256. Returns false if there is no correction, or if the address now belongs to someone on the list.
 */
export async function takeCorrection(tx: Transaction, person: StoredPerson, now: number): Promise<boolean> {
  const messages = await findMessages(tx, person.id);
  const open = messages.find(({ message }) => message.kind === 'correction');
  if (open === undefined || open.message.recipient === null) return false;
  tx.delete(open.ref);
  const email = open.message.recipient;
  const id = signupId(email);
  const { signup } = personRefs(tx, id);
  if (findListed(email, await findListedPeople(tx, [email])) !== undefined) return false;
  // A delivery in progress could not record its outcome for a moved message.
  if (messages.some(({ message }) => isBeingSent(message, now))) {
    throw new StorageError('unavailable', 'an email to this person is being sent', { retryAfter: 60 });
  }
  const move = (messageId: string) => id + messageId.slice(person.id.length);
  for (const { ref, message } of messages.filter((each) => each !== open)) {
    const { previous_id } = message;
    const moved = { signup_id: id, previous_id: previous_id && move(previous_id), links: [] };
    tx.set(messageRef(tx, move(ref.id)), { ...message, ...moved });
    tx.delete(ref);
    // Only links with their own document can be revoked, as below.
    for (const hash of message.links) {
      storeLink(tx, { hash, purpose: 'unsubscribe', expiresAt: now }, 'campaign', id, message.campaign_id);
    }
  }
  for (const token of await findTokens(tx, person.id)) {
    const purpose: unknown = token.get('purpose');
    const isUsed = (purpose === 'confirm' || purpose === 'correct') && token.get('used_at') === null;
    // Links to the status page that were sent to the old address are revoked. Unsubscribe links keep working.
    const isRevoked = purpose === 'confirm' || purpose === 'unsubscribe';
    tx.update(token.ref, { signup_id: id, ...(isUsed && { used_at: now }), ...(isRevoked && { valid_until: now }) });
  }
  tx.create(signup, {
    ...applyEntered(person.document),
    ...(await confirmCorrected(tx, person, now)),
    ...(await creditReferrer(tx, person, email)),
    email,
    mailbox: mailboxKey(email),
    last_message: move(lastMessageId(person.document)),
  });
  tx.delete(person.document.ref);
  return true;
}

/**
 * Returns the fields of a person with a newly confirmed address: bounced people return to their previous state, and
 * pending people are confirmed.
 */
async function confirmCorrected(tx: Transaction, { document, publicId, state: before }: StoredPerson, now: number) {
  const events: StoredEvent[] = [{ at: now, event: 'correct', by: 'correction' }];
  let fields: DocumentData = {};
  let state = before;
  for (const event of ['retry', 'confirm'] as const) {
    const next = nextState(state, event, readStateBeforeBounce(document));
    if (next === null) continue;
    const { column, time } = timeAfter(event, now);
    state = next;
    fields = { ...fields, state, [column]: time, bounced_from: null };
    if (event === 'confirm') fields = { ...fields, confirmed_by: 'correction', subscribed_at: now };
    events.push({ at: now, event, by: 'correction' });
    const type = EVENT_OF[event];
    if (type !== undefined) await recordEvent(tx, type, publicId, now);
  }
  return { ...fields, timeline: addEvents(document.get('timeline'), ...events) };
}
