import type { DeliveryResult } from '../ports/mail-transport.ts';
import type { Refusal } from './classify-reply.ts';
import { MAILBOX_FULL_REASON, MAILBOX_MS } from './mail-quota.ts';
import type { MessageKind } from './message-kinds.ts';

/**
 * `queued` waits for its next attempt. `sending` is stored before the message is handed to the transport. `sent`: the
 * mail server accepted it. `failed`: it was rejected for good. `unknown`: it may have been sent, so it is never sent
 * again automatically.
 */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'failed', 'unknown'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** A message of the mail queue as every store saves it. Times are epoch milliseconds. */
export interface MessageRecord {
  readonly state: MailState;
  /** The same for every attempt; the Message-ID contains it. */
  readonly message_key: string;
  /** Attempts so far, including one in progress. */
  readonly attempts: number;
  readonly next_attempt_at: number;
  /** Until then the process that claimed the message may be sending it; 0 before the first attempt. */
  readonly lease_until: number;
  /** Why the last attempt did not end as `sent`. Contains no address. */
  readonly reason: string | null;
  readonly changed_at: number;
}

/**
 * The result of an attempt. `retryAt` is when a deferred message is tried again; `refusal`: why the mail server refused
 * it, if it did.
 */
export type MessageOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly retryAt: number; readonly reason: string; readonly refusal?: Refusal }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string; readonly refusal?: Refusal };

/** Attempts before a message is given up: enough to outlast a mail server that is down for a whole day. */
export const MAX_ATTEMPTS = 32;

const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 3_600_000;
/** The attempt after which the delay is the longest. */
const LONGEST_DELAY_ATTEMPT = 8;

/** Milliseconds to wait after the given number of deferred attempts: doubles from 30 seconds up to an hour. */
export function retryDelay(attempts: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));
}

/** The outcome for a message whose delivery ended with this result; `attempts` includes this one. */
export function toMessageOutcome(result: DeliveryResult, attempts: number, now: number): MessageOutcome {
  if (result.outcome === 'sent') return { state: 'sent' };
  const { reason } = result;
  if (result.outcome === 'unknown') return { state: 'unknown', reason };
  const { refusal } = result;
  const isFinal = refusal === 'no-mailbox' || refusal === 'content';
  // A problem of ours outlasts the attempts. Anything else that is not final may be another answer tomorrow, and not
  // for ever.
  const isRetried = refusal === 'our-problem' || (!isFinal && attempts < MAX_ATTEMPTS);
  return isRetried
    ? { state: 'queued', retryAt: now + retryDelay(attempts), reason, refusal }
    : { state: 'failed', reason, refusal };
}

/**
 * Whether the outcome means that the mailbox of the person does not exist: a correction goes to an address that is not
 * theirs yet.
 */
export function isBounce(outcome: MessageOutcome, kind: MessageKind): boolean {
  return kind !== 'correction' && outcome.state === 'failed' && outcome.refusal === 'no-mailbox';
}

export function newMessage(messageKey: string, now: number): MessageRecord {
  return {
    state: 'queued',
    message_key: messageKey,
    attempts: 0,
    next_attempt_at: now,
    lease_until: 0,
    reason: null,
    changed_at: now,
  };
}

export function isDue({ state, next_attempt_at }: MessageRecord, now: number): boolean {
  return state === 'queued' && next_attempt_at <= now;
}

/**
 * Whether an attempt to send the message was ever started. An admin who sends it again sets `attempts` back, but not
 * the lease.
 */
export function wasAttempted({ attempts, lease_until }: Pick<MessageRecord, 'attempts' | 'lease_until'>): boolean {
  return attempts > 0 || lease_until > 0;
}

/** Whether a process is sending the message right now, as far as its lease says. */
export function isBeingSent({ state, lease_until }: MessageRecord, now: number): boolean {
  return state === 'sending' && lease_until >= now;
}

/** The message once an attempt has started. Store it before the message is handed to the transport. */
export function beginAttempt(message: MessageRecord, now: number, leaseMs: number): MessageRecord {
  return {
    ...message,
    state: 'sending',
    attempts: message.attempts + 1,
    lease_until: now + leaseMs,
    changed_at: now,
  };
}

/** The kinds that wait as long as they have to, because an admin has decided about them. */
const PATIENT_KINDS: readonly MessageKind[] = ['campaign', 'invite'];

/**
 * The message when its mailbox is full until then. Any visitor can cause most kinds, so what would have to wait for
 * more than a day is given up: three seconds of signups must not become a month of mail. An admin can send it again.
 */
export function postponed(message: MessageRecord, kind: MessageKind, until: number, now: number): MessageRecord {
  const reason = MAILBOX_FULL_REASON;
  if (until > now + MAILBOX_MS && !PATIENT_KINDS.includes(kind)) {
    return { ...message, state: 'failed', reason, changed_at: now };
  }
  return { ...message, next_attempt_at: until, reason, changed_at: now };
}

/**
 * The message after an attempt. Null if nothing waits for an outcome; one that comes after the lease ended still
 * counts. `isPaused`: whether the queue is paused then, because the mail server refuses everyone.
 */
export function afterAttempt(
  message: MessageRecord,
  outcome: MessageOutcome,
  now: number,
  isPaused = false,
): MessageRecord | null {
  if (message.state !== 'sending' && message.state !== 'unknown') return null;
  // A problem of ours uses up none of the attempts of the day that follows once it is solved, so that no message fails
  // for it.
  const isOurs = outcome.state === 'queued' && (outcome.refusal === 'our-problem' || isPaused);
  return {
    ...message,
    attempts: isOurs ? Math.min(message.attempts, LONGEST_DELAY_ATTEMPT) : message.attempts,
    state: outcome.state,
    reason: outcome.state === 'sent' ? null : outcome.reason,
    next_attempt_at: outcome.state === 'queued' ? outcome.retryAt : message.next_attempt_at,
    changed_at: now,
  };
}

/**
 * The message if the address of its person bounced while it was queued. It is stored, so that the admin can send it
 * again.
 */
export function afterBounce(message: MessageRecord, now: number): MessageRecord {
  return { ...message, state: 'failed', reason: 'the address bounced before it was sent', changed_at: now };
}

/**
 * The message once its lease has ended without an outcome: the process that was sending it ended. Null if that is not
 * so.
 */
export function afterLease(message: MessageRecord, now: number): MessageRecord | null {
  if (message.state !== 'sending' || isBeingSent(message, now)) return null;
  return { ...message, state: 'unknown', reason: 'the sending process ended before it knew', changed_at: now };
}

/**
 * What an admin can decide about a message whose outcome is `unknown`: that it counts as sent, or that it is sent again,
 * which the person may get twice.
 */
export const UNKNOWN_DECISIONS = ['sent', 'again'] as const;
export type UnknownDecision = (typeof UNKNOWN_DECISIONS)[number];

/** The message after the decision. Null if its outcome is known by now: another decision or a late outcome was first. */
export function decided(message: MessageRecord, decision: UnknownDecision, now: number): MessageRecord | null {
  if (message.state !== 'unknown') return null;
  return decision === 'sent' ? { ...message, state: 'sent', reason: null, changed_at: now } : requeued(message, now);
}

/** The message queued again, regardless of its outcome. Null while it is being sent. Only the admin may decide this. */
export function requeued(message: MessageRecord, now: number): MessageRecord | null {
  if (message.state === 'sending') return null;
  return { ...message, state: 'queued', attempts: 0, next_attempt_at: now, reason: null, changed_at: now };
}
