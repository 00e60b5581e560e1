import type { DocumentData } from 'firebase-admin/firestore';

/**
 * `queued` waits for its next attempt; `sending` was marked in the store before it was handed over; `sent` was taken by the
 * mail server; `failed` was refused for good; `unknown` may have gone out, and is never sent again by itself.
 */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'failed', 'unknown'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** `mails/{id of the sign-up}`. Times are epoch milliseconds. */
export interface MailRecord {
  readonly state: MailState;
  /** The same for every attempt; the Message-ID is made of it. */
  readonly message_key: string;
  /** Attempts so far, one under way included. */
  readonly attempts: number;
  readonly next_attempt_at: number;
  /** Until when whoever claimed it may be sending; after it a mail in `sending` counts as `unknown`. */
  readonly lease_until: number;
  /** A token of the attempt, which no other attempt has; empty before the first. */
  readonly claimed_by: string;
  /** Why the last attempt did not end as `sent`, without an address. */
  readonly reason: string | null;
  readonly changed_at: number;
  /** SHA-256 of the mailbox once the message has had to wait for room in it; otherwise null. */
  readonly mailbox: string | null;
}

export function newMail(messageKey: string, now: number): MailRecord {
  return {
    state: 'queued',
    message_key: messageKey,
    attempts: 0,
    next_attempt_at: now,
    lease_until: 0,
    claimed_by: '',
    reason: null,
    changed_at: now,
    mailbox: null,
  };
}

/** Throws where a field is missing or of another type: such a record was not written here, and guessing might send twice. */
export function readMail(data: DocumentData): MailRecord {
  const state = MAIL_STATES.find((candidate) => candidate === data.state);
  if (state === undefined) throw new TypeError('a mail has no known state');
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
  if (typeof value !== 'string') throw new TypeError(`${field} of a mail must be text`);
  return value;
}

function number(data: DocumentData, field: string): number {
  const value: unknown = data[field];
  if (typeof value !== 'number') throw new TypeError(`${field} of a mail must be a number`);
  return value;
}
