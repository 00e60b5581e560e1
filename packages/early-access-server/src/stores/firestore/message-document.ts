import type { DocumentData, DocumentSnapshot } from 'firebase-admin/firestore';
import { MAIL_STATES, type MessageRecord, newMessage } from '../../app/mail/message.ts';

/** `mails/{id of the signup}` */
export interface MessageDocument extends MessageRecord {
  /** Identifies the attempt; empty before the first. */
  readonly claimed_by: string;
  /** SHA-256 of the mailbox once the message has had to wait for room in it; otherwise null. */
  readonly mailbox: string | null;
}

export function newMessageDocument(messageKey: string, now: number): MessageDocument {
  return { ...newMessage(messageKey, now), claimed_by: '', mailbox: null };
}

/** Null if there is no document. Throws if a field is missing or of another type: something else wrote it, and guessing might send twice. */
export function readMessage(snapshot: DocumentSnapshot | undefined): MessageDocument | null {
  const data = snapshot?.data();
  if (data === undefined) return null;
  const state = MAIL_STATES.find((candidate) => candidate === data.state);
  if (state === undefined) throw new TypeError('a message has no known state');
  return {
    state,
    message_key: text(data, 'message_key'),
    attempts: number(data, 'attempts'),
    next_attempt_at: number(data, 'next_attempt_at'),
    lease_until: number(data, 'lease_until'),
    claimed_by: text(data, 'claimed_by'),
    reason: data.reason === null ? null : text(data, 'reason'),
    changed_at: number(data, 'changed_at'),
    // Earlier releases did not store it.
    mailbox: data.mailbox === undefined || data.mailbox === null ? null : text(data, 'mailbox'),
  };
}

function text(data: DocumentData, field: string): string {
  const value: unknown = data[field];
  if (typeof value !== 'string') throw new TypeError(`${field} of a message must be text`);
  return value;
}

function number(data: DocumentData, field: string): number {
  const value: unknown = data[field];
  if (typeof value !== 'number') throw new TypeError(`${field} of a message must be a number`);
  return value;
}
