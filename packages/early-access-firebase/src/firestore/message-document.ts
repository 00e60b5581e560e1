import { randomUUID } from 'node:crypto';
import {
  MAIL_STATES,
  MESSAGE_KINDS,
  type MessageKind,
  type MessageRecord,
  type Notice,
  newMessage,
} from 'early-access-server/internal';
import type { DocumentReference, DocumentSnapshot } from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { enumValue, integer, text, textList, textOrNull } from './fields.ts';

/**
 * `mails/{signup id}` is the first message of a signup, `mails/{signup id}.{topic}` are further ones, so that a person
 * gets one message per topic. Notices to admins are `mails/notice.{id}`.
 */
export interface MessageDocument extends MessageRecord {
  readonly kind: MessageKind;
  /** Null for a notice. */
  readonly signup_id: string | null;
  /** The address of a notice or a correction; null: the person's own address. */
  readonly recipient: string | null;
  /** The content of a notice as JSON; null for other kinds. */
  readonly data: string | null;
  readonly campaign_id: string | null;
  readonly wave_id: string | null;
  /** The person's previous message, which becomes their last one again if this one is dropped. */
  readonly previous_id: string | null;
  /** Identifies the attempt; empty before the first. */
  readonly claimed_by: string;
  /** SHA-256 of the mailbox once the message has had to wait for its limit; otherwise null. */
  readonly mailbox: string | null;
  /**
   * The SHA-256 of the tokens of a campaign message's unsubscribe links. A document per link would cost another write.
   */
  readonly links: readonly string[];
  /** Reactions of the recipient (`CAMPAIGN_REACTIONS`). Messages without a campaign only record complaints. */
  readonly reactions: readonly string[];
}

/** A message with its reference. */
export interface StoredMessage {
  readonly ref: DocumentReference;
  readonly message: MessageDocument;
}

/** The fields of a new message that differ from the defaults. */
export type NewMessage = Pick<MessageDocument, 'kind'> & Partial<MessageDocument>;

/** The prefix of a notice's id. */
const NOTICE = 'notice';

/** Returns the signup's id from the id of its message; null for a notice. */
export function toSignupId(messageId: string): string | null {
  const [owner = ''] = messageId.split('.', 1);
  return owner === NOTICE ? null : owner;
}

export function messageRef(reader: DocumentReader, id: string): DocumentReference {
  return reader.collection(COLLECTIONS.mails).doc(id);
}

/** Returns the reference of a campaign's message to a person. */
export function campaignMessageRef(reader: DocumentReader, signupId: string, campaignId: string): DocumentReference {
  return messageRef(reader, `${signupId}.campaign.${campaignId}`);
}

/** Queues the first message of a signup. `previous_id`: set for a person who already had messages. */
export function queueFirstMessage(
  tx: Transaction,
  kind: MessageKind,
  signupId: string,
  now: number,
  previous_id: string | null = null,
): void {
  tx.set(messageRef(tx, signupId), newMessageDocument({ kind, signup_id: signupId, previous_id }, now));
}

export function newMessageDocument(about: NewMessage & Pick<MessageDocument, 'signup_id'>, now: number) {
  return {
    ...newMessage(randomUUID(), now),
    recipient: null,
    data: null,
    campaign_id: null,
    wave_id: null,
    previous_id: null,
    claimed_by: '',
    mailbox: null,
    links: [],
    reactions: [],
    ...about,
  };
}

/** Returns a person's messages with their references, ordered by id, which puts the first message first. */
export async function findMessages(tx: Transaction, signupId: string): Promise<readonly StoredMessage[]> {
  const documents = await tx.find(tx.collection(COLLECTIONS.mails).where('signup_id', '==', signupId));
  return documents.flatMap((document) => {
    const message = readMessage(document);
    return message === null ? [] : [{ ref: document.ref, message }];
  });
}

/** Returns null if there is no document. */
export function readMessage(document: DocumentSnapshot | undefined): MessageDocument | null {
  if (!document?.exists) return null;
  return {
    ...readRecord(document),
    kind: enumValue(document, 'kind', MESSAGE_KINDS),
    signup_id: toSignupId(document.id),
    recipient: textOrNull(document, 'recipient'),
    data: textOrNull(document, 'data'),
    campaign_id: textOrNull(document, 'campaign_id'),
    wave_id: textOrNull(document, 'wave_id'),
    previous_id: textOrNull(document, 'previous_id'),
    claimed_by: text(document, 'claimed_by'),
    mailbox: textOrNull(document, 'mailbox'),
    links: textList(document, 'links'),
    reactions: textList(document, 'reactions'),
  };
}

/** Reads the fields that messages share with deliveries to webhooks. */
export function readRecord(document: DocumentSnapshot): MessageRecord {
  return {
    state: enumValue(document, 'state', MAIL_STATES),
    message_key: text(document, 'message_key'),
    attempts: integer(document, 'attempts'),
    next_attempt_at: integer(document, 'next_attempt_at'),
    lease_until: integer(document, 'lease_until'),
    reason: textOrNull(document, 'reason'),
    changed_at: integer(document, 'changed_at'),
  };
}

/** Queues a notice to each of these admins, due now. */
export function queueNotices(
  tx: Pick<Transaction, 'collection' | 'create'>,
  recipients: readonly string[],
  notice: Notice,
  now: number,
): void {
  for (const recipient of recipients) {
    const message = newMessageDocument(
      { kind: 'notice', signup_id: null, recipient, data: JSON.stringify(notice) },
      now,
    );
    tx.create(tx.collection(COLLECTIONS.mails).doc(`${NOTICE}.${message.message_key}`), { ...message });
  }
}
