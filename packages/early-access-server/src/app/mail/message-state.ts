import type { DeliveryResult } from '../ports/mail-transport.ts';
import type { Refusal } from './classify-reply.ts';
import { MAILBOX_FULL_REASON, MAILBOX_MS } from './mail-quota.ts';
import type { MessageKind } from './message-kinds.ts';

/**
 * `queued` waits for its next attempt. `sending` is stored before the message is passed to the transport. `sent`: the
 * mail server accepted it. `failed`: it was rejected for good. `unknown`: it may have been sent, so it is never sent
 * again automatically.
 */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'failed', 'unknown'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** A message in the mail queue, as every store saves it. Times are epoch milliseconds. */
export interface MessageRecord {
  readonly state: MailState;
  /** Does not change between attempts; part of the Message-ID. */
  readonly message_key: string;
  /** Attempts so far, including one in progress. */
  readonly attempts: number;
  readonly next_attempt_at: number;
  /** Until this time the process that claimed the message may be sending it. 0 before the first attempt. */
  readonly lease_until: number;
  /** Why the last attempt did not end as `sent`. Contains no address. */
  readonly reason: string | null;
  readonly changed_at: number;
}

/**
 * The result of an attempt. `retryAt`: when a deferred message is attempted again. `refusal`: why the mail server
 * rejected it, if it did.
 */
export type MessageOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'queued'; readonly retryAt: number; readonly reason: string; readonly refusal?: Refusal }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string; readonly refusal?: Refusal };

/** The most attempts per message: enough to outlast a mail server that is down for a whole day. */
export const MAX_ATTEMPTS = 32;

const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 3_600_000;
/** From this attempt on, the delay no longer grows. */
const LONGEST_DELAY_ATTEMPT = 8;

/** Milliseconds to wait after this number of deferred attempts. Doubles from 30 seconds up to an hour. */
export function retryDelay(attempts: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));
}

/** The outcome for a delivery with this result; `attempts` includes this one. */
export function toMessageOutcome(result: DeliveryResult, attempts: number, now: number): MessageOutcome {
  if (result.outcome === 'sent') return { state: 'sent' };
  const { reason } = result;
  if (result.outcome === 'unknown') return { state: 'unknown', reason };
  const { refusal } = result;
  const isFinal = refusal === 'no-mailbox' || refusal === 'content';
  // A problem on our side is retried without limit. Any other reply that is not final may change by tomorrow, so it is
  // retried, but not forever.
  const isRetried = refusal === 'our-problem' || (!isFinal && attempts < MAX_ATTEMPTS);
  return isRetried
    ? { state: 'queued', retryAt: now + retryDelay(attempts), reason, refusal }
    : { state: 'failed', reason, refusal };
}

/**
 * Returns whether the outcome means that the person's mailbox does not exist. A correction never does, because its
 * address is not the person's yet.
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
 * Returns whether an attempt to send the message was ever started. If an admin sends it again, `attempts` is reset but
 * the lease is not.
 */
export function wasAttempted({ attempts, lease_until }: Pick<MessageRecord, 'attempts' | 'lease_until'>): boolean {
  return attempts > 0 || lease_until > 0;
}

/** Returns whether a process holds a valid lease for sending the message. */
export function isBeingSent({ state, lease_until }: MessageRecord, now: number): boolean {
  return state === 'sending' && lease_until >= now;
}

/** The message after an attempt has started. Store it before the message is passed to the transport. */
export function beginAttempt(message: MessageRecord, now: number, leaseMs: number): MessageRecord {
  return {
    ...message,
    state: 'sending',
    attempts: message.attempts + 1,
    lease_until: now + leaseMs,
    changed_at: now,
  };
}

/** Kinds that wait as long as necessary, because an admin caused them. */
const PATIENT_KINDS: readonly MessageKind[] = ['campaign', 'invite'];

/**
 * The message if its mailbox is full until the given time. Any visitor can cause most kinds, so they fail if they would
 * have to wait for more than a day: otherwise a few seconds of signups could cause a month of mail. An admin can send
 * the message again.
 */
export function postponed(message: MessageRecord, kind: MessageKind, until: number, now: number): MessageRecord {
  const reason = MAILBOX_FULL_REASON;
  if (until > now + MAILBOX_MS && !PATIENT_KINDS.includes(kind)) {
    return { ...message, state: 'failed', reason, changed_at: now };
  }
  return { ...message, next_attempt_at: until, reason, changed_at: now };
}

/**
 * The message after an attempt. Null if it is not waiting for an outcome; an outcome still counts after the lease has
 * ended. `isPaused`: the queue is paused then, because the mail server rejects everyone.
 */
export function afterAttempt(
  message: MessageRecord,
  outcome: MessageOutcome,
  now: number,
  isPaused = false,
): MessageRecord | null {
  if (message.state !== 'sending' && message.state !== 'unknown') return null;
  // A problem on our side does not use up attempts, so that no message fails because of it.
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

/** The message if its person's address bounced while it was queued. It stays stored, so an admin can send it again. */
export function afterBounce(message: MessageRecord, now: number): MessageRecord {
  return { ...message, state: 'failed', reason: 'the address bounced before it was sent', changed_at: now };
}

/** The message if its lease ended without an outcome because the sending process ended. Otherwise null. */
export function afterLease(message: MessageRecord, now: number): MessageRecord | null {
  if (message.state !== 'sending' || isBeingSent(message, now)) return null;
  return {
    ...message,
    state: 'unknown',
    reason: 'the sending process ended before the outcome was known',
    changed_at: now,
  };
}

/**
 * What an admin can decide about a message with outcome `unknown`: it counts as sent, or it is sent again, so that the
 * person may get it twice.
 */
export const UNKNOWN_DECISIONS = ['sent', 'again'] as const;
export type UnknownDecision = (typeof UNKNOWN_DECISIONS)[number];

/** The message after the decision. Null if its outcome has become known in the meantime. */
export function decided(message: MessageRecord, decision: UnknownDecision, now: number): MessageRecord | null {
  if (message.state !== 'unknown') return null;
  return decision === 'sent' ? { ...message, state: 'sent', reason: null, changed_at: now } : requeued(message, now);
}

/** The message queued again, regardless of its outcome. Null while it is being sent. Only an admin may decide this. */
export function requeued(message: MessageRecord, now: number): MessageRecord | null {
  if (message.state === 'sending') return null;
  return { ...message, state: 'queued', attempts: 0, next_attempt_at: now, reason: null, changed_at: now };
}
