import { randomUUID } from 'node:crypto';
import type {
  DocumentData,
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Transaction,
} from 'firebase-admin/firestore';
import { MAIL_STATES, type MessageRecord, newMessage } from '../../../app/mail/message.ts';
import { MESSAGE_KINDS, type MessageKind } from '../../../app/mail/message-kinds.ts';
import { COLLECTIONS } from '../database.ts';

/**
 * `mails/{id of the signup}` for the first message of a signup, `mails/{id of the signup}.{what it is about}` for further ones, so that a
 * person gets one about each thing. Notices to admins are `mails/notice.{id}`.
 */
export interface MessageDocument extends MessageRecord {
  readonly kind: MessageKind;
  /** Null for a notice. */
  readonly signup_id: string | null;
  /** The address of a notice; otherwise null. */
  readonly recipient: string | null;
  /** What a notice says, as JSON; otherwise null. */
  readonly data: string | null;
  readonly campaign_id: string | null;
  readonly wave_id: string | null;
  /** The person's message before this one, which is their last one again if this one is dropped. */
  readonly previous_id: string | null;
  /** Identifies the attempt; empty before the first. */
  readonly claimed_by: string;
  /** SHA-256 of the mailbox once the message has had to wait for room in it; otherwise null. */
  readonly mailbox: string | null;
}

/** Begins the id of a notice. */
export const NOTICE = 'notice';

/** The signup of a message; null if it is a notice. */
export function signupIdOf(messageId: string): string | null {
  const [owner = ''] = messageId.split('.', 1);
  return owner === NOTICE ? null : owner;
}

export function newMessageDocument(
  about: Pick<MessageDocument, 'kind' | 'signup_id'> & Partial<MessageDocument>,
  now: number,
): MessageDocument {
  return {
    ...newMessage(randomUUID(), now),
    recipient: null,
    data: null,
    campaign_id: null,
    wave_id: null,
    previous_id: null,
    claimed_by: '',
    mailbox: null,
    ...about,
  };
}

/** A person's messages with their references, the first one before the others. */
export async function messagesOf(
  firestore: Firestore,
  transaction: Transaction,
  signupId: string,
): Promise<{ readonly ref: DocumentReference; readonly message: MessageDocument }[]> {
  const messages = firestore.collection(COLLECTIONS.mails);
  const [first, { docs }] = await Promise.all([
    transaction.get(messages.doc(signupId)),
    transaction.get(messages.where('signup_id', '==', signupId)),
  ]);
  // The first one of an earlier release does not name its signup.
  return [first, ...docs.filter(({ id }) => id !== signupId)].flatMap((document) => {
    const message = readMessage(document);
    return message === null ? [] : [{ ref: document.ref, message }];
  });
}

/** Null if there is no document. Throws if a field is missing or of another type: something else wrote it, and guessing might send twice. */
export function readMessage(snapshot: DocumentSnapshot | undefined): MessageDocument | null {
  const data = snapshot?.data();
  if (snapshot === undefined || data === undefined) return null;
  const state = MAIL_STATES.find((candidate) => candidate === data.state);
  if (state === undefined) throw new TypeError('a message has no known state');
  // Earlier releases stored welcome emails only, without the fields that tell them from others.
  const kind = data.kind === undefined ? 'welcome' : MESSAGE_KINDS.find((candidate) => candidate === data.kind);
  if (kind === undefined) throw new TypeError('a message has no known kind');
  return {
    state,
    kind,
    signup_id: signupIdOf(snapshot.id),
    recipient: textOrNull(data, 'recipient'),
    data: textOrNull(data, 'data'),
    campaign_id: textOrNull(data, 'campaign_id'),
    wave_id: textOrNull(data, 'wave_id'),
    previous_id: textOrNull(data, 'previous_id'),
    message_key: text(data, 'message_key'),
    attempts: number(data, 'attempts'),
    next_attempt_at: number(data, 'next_attempt_at'),
    lease_until: number(data, 'lease_until'),
    claimed_by: text(data, 'claimed_by'),
    reason: textOrNull(data, 'reason'),
    changed_at: number(data, 'changed_at'),
    mailbox: textOrNull(data, 'mailbox'),
  };
}

function text(data: DocumentData, field: string): string {
  const value: unknown = data[field];
  if (typeof value !== 'string') throw new TypeError(`${field} of a message must be text`);
  return value;
}

function textOrNull(data: DocumentData, field: string): string | null {
  return data[field] === undefined || data[field] === null ? null : text(data, field);
}

function number(data: DocumentData, field: string): number {
  const value: unknown = data[field];
  if (typeof value !== 'number') throw new TypeError(`${field} of a message must be a number`);
  return value;
}
