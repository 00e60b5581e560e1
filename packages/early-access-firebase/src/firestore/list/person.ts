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
 * Returns whether the document is of a person who unsubscribed. It has a different id, because a browser may create a
 * signup of the address again.
 */
export function isUnsubscribedId(documentId: string): boolean {
  return documentId.startsWith(LEFT);
}

/**
 * Returns the id of the signup, under which its messages and links are stored. It is the SHA-256 of the address and
 * never leaves the application.
 */
export function signupIdOfDocument(documentId: string): string {
  return isUnsubscribedId(documentId) ? documentId.slice(LEFT.length) : documentId;
}

/** Returns the references of a person's documents before and after they unsubscribe. */
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

/** Returns the stored public id, or a new random one. */
export function getPublicId(signup: DocumentSnapshot): string {
  return textOrNull(signup, 'person_id') ?? newPersonId();
}

/** Returns the fields of a person in their first state. */
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

/** Returns null if nothing is stored about the person. */
export async function findPerson(reader: DocumentReader, id: string): Promise<StoredPerson | null> {
  const { signup, left } = personRefs(reader, id);
  const [current, former] = await reader.getAll(signup, left);
  // A new signup replaces the former one when it is enrolled.
  const isAgain = former?.exists === true && current?.get('state') === undefined;
  return toStoredPerson(current?.exists && !isAgain ? current : former);
}

/** Returns the id of the person's last message that is not from a campaign. */
export function lastMessageId(signup: DocumentSnapshot): string {
  const id: unknown = signup.get('last_message');
  return typeof id === 'string' ? id : signupIdOfDocument(signup.id);
}

/** Queues a message to a person as their last one. Returns the fields to store with them. */
export function queueMessage(tx: Transaction, person: StoredPerson, about: NewMessage, name: string, now: number) {
  const last_message = `${person.id}.${name}`;
  const fields = { signup_id: person.id, previous_id: lastMessageId(person.document), ...about };
  tx.set(messageRef(tx, last_message), newMessageDocument(fields, now));
  return { last_message };
}

/** Returns the field to store with a person when their messages are dropped. */
export function withoutMessages(person: StoredPerson, dropped: ReadonlyMap<string, MessageDocument>) {
  let last = lastMessageId(person.document);
  for (let message = dropped.get(last); message?.previous_id != null; message = dropped.get(last)) {
    last = message.previous_id;
  }
  return { last_message: last };
}

/** Returns the state in which the address bounced; null if it did not. */
export function readStateBeforeBounce(signup: DocumentSnapshot): PersonState | null {
  return PERSON_STATES.find((candidate) => candidate === signup.get('bounced_from')) ?? null;
}

/** Returns the state after the event; null if the event is not possible. */
export function stateAfter({ state, document }: StoredPerson, event: PersonEvent): PersonState | null {
  return nextState(state, event, readStateBeforeBounce(document));
}

/**
 * Changes a person's state and the fields that depend on it. Returns false if the event is not possible. When a person
 * unsubscribes, their queued messages and their correction are dropped. Endpoints get the event.
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

/** Returns the person's fields updated by the waiting signup that they have confirmed; unchanged if there is none. */
export function applyEntered(signup: DocumentSnapshot): DocumentData {
  const { entered, entered_at: _, ...data } = signup.data() ?? {};
  if (entered === undefined) return data;
  const { fields: __, page_url: ___, ...kept } = data;
  return { ...kept, ...entered, ...(data.share_code && { share_code: data.share_code }) };
}

/** Firestore's limit of values in one query. */
const MAILBOXES_AT_ONCE = 30;

/** Returns people on the list with one of these addresses or a mailbox of one, keyed by their own addresses. */
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

/** Returns the people of these documents by address, each with the id of the signup. */
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

/** Returns whether the address's mailbox has opted out. */
export async function findOptOut(tx: Transaction, email: string): Promise<boolean> {
  const signups = tx.collection(COLLECTIONS.signups);
  const left = signups.where('mailbox', '==', mailboxKey(email)).where('unsubscribed_at', '>', 0);
  const found = await tx.find(left.orderBy('unsubscribed_at', 'desc').limit(MAILBOXES_AT_ONCE));
  return found.some((document) => isOptedOut({ state: storedState(document) ?? 'subscribed', ...toHistory(document) }));
}

/**
 * Unsubscribes everyone else with the mailbox, one at a time, because each may have many messages. Repeat the call if
 * it was interrupted.
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
