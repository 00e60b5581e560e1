import {
  addEvents,
  type Cause,
  CONFIRMATIONS,
  EVENT_OF,
  isOptedOut,
  type ListedPerson,
  mailboxKey,
  newPersonId,
  nextState,
  PERSON_STATES,
  type PersonEvent,
  type PersonHistory,
  type PersonState,
  timeAfter,
} from 'early-access-server/internal';
import { type DocumentData, type DocumentSnapshot, FieldValue, type Firestore } from 'firebase-admin/firestore';
import { type DocumentReader, signupId, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { enumValue, integerOrNull, textOrNull } from '../fields.ts';
import {
  findMessages,
  type MessageDocument,
  messageRef,
  type NewMessage,
  newMessageDocument,
} from '../message-document.ts';
import { recordEvent } from '../webhooks/event-recorder.ts';

const LEFT = 'left-';

/**
 * Whether the document is of a person who unsubscribed. It has another id than a signup of their address, which a
 * browser may create again.
 */
export function isUnsubscribedId(documentId: string): boolean {
  return documentId.startsWith(LEFT);
}

/**
 * The id of the signup, under which its messages and links are stored. The SHA-256 of the address, so it never leaves
 * the application.
 */
export function signupIdOfDocument(documentId: string): string {
  return isUnsubscribedId(documentId) ? documentId.slice(LEFT.length) : documentId;
}

/** The references of a person's document before and after they unsubscribe. */
export function personRefs(reader: DocumentReader, id: string) {
  const signups = reader.collection(COLLECTIONS.signups);
  return { signup: signups.doc(id), left: signups.doc(LEFT + id) };
}

/** A signup with its state on the list. */
export interface StoredPerson {
  /** The id of the signup. */
  readonly id: string;
  readonly publicId: string;
  readonly document: DocumentSnapshot;
  readonly email: string;
  readonly submissionId: string;
  readonly state: PersonState;
}

/** Returns null if there is no document, or if it has no address. */
export function toStoredPerson(snapshot: DocumentSnapshot | undefined): StoredPerson | null {
  const email: unknown = snapshot?.get('email');
  if (snapshot === undefined || typeof email !== 'string') return null;
  const state = storedState(snapshot) ?? 'subscribed';
  const submissionId = String(snapshot.get('entered.submission_id') ?? snapshot.get('submission_id'));
  const id = signupIdOfDocument(snapshot.id);
  return { id, publicId: getPublicId(snapshot), document: snapshot, email, submissionId, state };
}

/** Returns null until the signup is enrolled. */
export function storedState(signup: DocumentSnapshot): PersonState | null {
  return signup.get('state') === undefined ? null : enumValue(signup, 'state', PERSON_STATES);
}

/** Returns a new id, known to no one, if none is stored yet. */
export function getPublicId(signup: DocumentSnapshot): string {
  return textOrNull(signup, 'person_id') ?? newPersonId();
}

/** The fields of a person in their first state. */
export function firstFields(email: string, state: PersonState, person_id = newPersonId()) {
  return {
    state,
    person_id,
    mailbox: mailboxKey(email),
    // Only pending people get a reminder.
    ...(state === 'pending' && { reminded: false }),
  };
}

export function toHistory(signup: DocumentSnapshot): PersonHistory {
  return {
    confirmed_at: integerOrNull(signup, 'confirmed_at'),
    unsubscribed_at: integerOrNull(signup, 'unsubscribed_at'),
    bounced_at: integerOrNull(signup, 'bounced_at'),
    bounced_from: readStateBeforeBounce(signup),
    invited_at: integerOrNull(signup, 'invited_at'),
    joined_at: integerOrNull(signup, 'joined_at'),
    confirmed_by: CONFIRMATIONS.find((kind) => kind === signup.get('confirmed_by')) ?? null,
    consent_text: textOrNull(signup, 'consent_text'),
    consent_page: textOrNull(signup, 'consent_page'),
  };
}

/** Null if nothing is stored about the person. */
export async function findPerson(reader: DocumentReader, id: string): Promise<StoredPerson | null> {
  const { signup, left } = personRefs(reader, id);
  const [current, former] = await reader.getAll(signup, left);
  // A new signup replaces the former one when it is enrolled.
  const isAgain = former?.exists === true && current?.get('state') === undefined;
  return toStoredPerson(current?.exists && !isAgain ? current : former);
}

/** The id of the person's last message apart from campaigns. */
export function lastMessageId(signup: DocumentSnapshot): string {
  const id: unknown = signup.get('last_message');
  return typeof id === 'string' ? id : signupIdOfDocument(signup.id);
}

/** Queues a message to a person, which becomes their last one. Returns the fields to store with them. */
export function queueMessage(tx: Transaction, person: StoredPerson, about: NewMessage, name: string, now: number) {
  const last_message = `${person.id}.${name}`;
  const fields = { signup_id: person.id, previous_id: lastMessageId(person.document), ...about };
  tx.set(messageRef(tx, last_message), newMessageDocument(fields, now));
  return { last_message };
}

/** The field to store with a person whose messages are dropped. */
export function withoutMessages(person: StoredPerson, dropped: ReadonlyMap<string, MessageDocument>) {
  let last = lastMessageId(person.document);
  for (let message = dropped.get(last); message?.previous_id != null; message = dropped.get(last)) {
    last = message.previous_id;
  }
  return { last_message: last };
}

/** The state in which the address bounced; null if it did not. */
export function readStateBeforeBounce(signup: DocumentSnapshot): PersonState | null {
  return PERSON_STATES.find((candidate) => candidate === signup.get('bounced_from')) ?? null;
}

/** The state after the event; null if it is not possible. */
export function stateAfter({ state, document }: StoredPerson, event: PersonEvent): PersonState | null {
  return nextState(state, event, readStateBeforeBounce(document));
}

/**
 * Changes a person's state, and their other fields with it. Returns false if the event is not possible. Queued messages
 * of a person who unsubscribes are dropped, and their correction. Endpoints get the event.
 */
export async function changeState(
  tx: Transaction,
  person: StoredPerson,
  event: PersonEvent,
  by: Cause,
  now: number,
  changes: DocumentData = {},
): Promise<boolean> {
  const { id, publicId, document, state } = person;
  const next = stateAfter(person, event);
  if (next === null) return false;
  const type = EVENT_OF[event];
  if (type !== undefined) await recordEvent(tx, type, publicId, now);
  const { column, time } = timeAfter(event, now);
  const changed = {
    ...changes,
    state: next,
    [column]: time,
    timeline: addEvents(document.get('timeline'), { at: now, event, by }),
    ...(event === 'confirm' && { confirmed_by: by, subscribed_at: now }),
  };
  const { entered: _, entered_at: __, ...data } = document.data() ?? {};
  if (event === 'confirm' && document.get('entered') !== undefined) {
    tx.set(document.ref, { ...applyEntered(document), ...changed });
    return true;
  }
  if (next !== 'unsubscribed') {
    tx.update(document.ref, {
      ...changed,
      bounced_from: next === 'bounced' ? state : FieldValue.delete(),
    });
    return true;
  }
  const queued = (await findMessages(tx, id)).filter(
    ({ message: { state, kind } }) => state === 'queued' || kind === 'correction',
  );
  const dropped = new Map(queued.map(({ ref, message }) => [ref.id, message]));
  tx.set(personRefs(tx, id).left, { ...data, ...changed, ...withoutMessages(person, dropped) });
  tx.delete(document.ref);
  for (const message of queued) tx.delete(message.ref);
  return true;
}

/**
 * The fields of a person with the new signup that waits, which they have confirmed; all of them as they are if there is
 * none.
 */
export function applyEntered(signup: DocumentSnapshot): DocumentData {
  const { entered, entered_at: _, ...data } = signup.data() ?? {};
  if (entered === undefined) return data;
  const { fields: __, page_url: ___, ...kept } = data;
  return { ...kept, ...entered, ...(data.share_code && { share_code: data.share_code }) };
}

/** Firestore accepts as many values in one query. */
const MAILBOXES_AT_ONCE = 30;

/** The people on the list who have one of these addresses or the mailbox of one, by their own addresses. */
export async function findListedPeople(tx: Transaction, emails: readonly string[]) {
  const signups = tx.collection(COLLECTIONS.signups);
  const keys = [...new Set(emails.map(mailboxKey))];
  const documents: DocumentSnapshot[] = await tx.getAll(
    ...emails.flatMap((email) => Object.values(personRefs(tx, signupId(email)))),
  );
  for (let start = 0; start < keys.length; start += MAILBOXES_AT_ONCE) {
    documents.push(...(await tx.find(signups.where('mailbox', 'in', keys.slice(start, start + MAILBOXES_AT_ONCE)))));
  }
  return toListed(documents);
}

/** The people of these documents by their addresses, each with the id of the signup. */
export function toListed(
  documents: readonly DocumentSnapshot[],
): ReadonlyMap<string, ListedPerson & { signupId: string }> {
  return new Map(
    documents.flatMap((document) => {
      const person = toStoredPerson(document);
      if (person === null) return [];
      const { confirmed_at, unsubscribed_at } = toHistory(document);
      const { id: signupId, publicId: id, email, state } = person;
      return [[email, { id, state, confirmed_at, unsubscribed_at, signupId }]];
    }),
  );
}

/** Whether an opt-out of the address's mailbox holds. */
export async function findOptOut(tx: Transaction, email: string): Promise<boolean> {
  const signups = tx.collection(COLLECTIONS.signups);
  const left = signups.where('mailbox', '==', mailboxKey(email)).where('unsubscribed_at', '>', 0);
  const found = await tx.find(left.orderBy('unsubscribed_at', 'desc').limit(MAILBOXES_AT_ONCE));
  return found.some((document) => isOptedOut({ state: storedState(document) ?? 'subscribed', ...toHistory(document) }));
}

/**
 * Unsubscribes everyone else with the mailbox, one by one, because each may have many messages. Call it again if it was
 * interrupted.
 */
export async function optOutMailbox(firestore: Firestore, email: string, by: Cause, now: number): Promise<void> {
  const { docs } = await firestore.collection(COLLECTIONS.signups).where('mailbox', '==', mailboxKey(email)).get();
  for (const document of docs.filter(({ id }) => !isUnsubscribedId(id))) {
    await transact(firestore, async (tx) => {
      const person = await findPerson(tx, document.id);
      if (person !== null) await changeState(tx, person, 'unsubscribe', by, now);
    });
  }
}
