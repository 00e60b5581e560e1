import { MAILBOX_MS, MAILS_PER_MAILBOX_AND_DAY } from 'early-access-server/stores';
import { type DocumentSnapshot, type Query, Timestamp } from 'firebase-admin/firestore';
import type { DocumentReader } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { unreadable } from '../fields.ts';

/** The last attempt of a message; `at` in epoch milliseconds. */
export interface MailboxAttempt {
  /** The SHA-256 of the mailbox. */
  readonly mailbox: string;
  readonly message_key: string;
  readonly at: number;
}

/** The records of attempts to any of these mailboxes, of which Firestore accepts 30. */
export function queryAttempts(reader: DocumentReader, mailboxes: readonly string[]): Query {
  return reader.collection(COLLECTIONS.mailboxes).where('mailboxes', 'array-contains-any', mailboxes);
}

/** The attempts of a record; none if there is no record. */
export function readAttempts(snapshot: DocumentSnapshot | undefined): readonly MailboxAttempt[] {
  const attempts: unknown = snapshot?.get('attempts');
  if (snapshot === undefined || attempts === undefined) return [];
  // Guessing might flood the mailbox.
  if (!Array.isArray(attempts) || !attempts.every(isAttempt)) throw unreadable(snapshot, 'attempts');
  return attempts;
}

/** The record after an attempt at a message, which replaces an earlier one of the same message. A TTL policy deletes it once none counts. */
export function withAttempt(attempts: readonly MailboxAttempt[], attempt: MailboxAttempt) {
  const others = attempts.filter(
    ({ message_key, at }) => message_key !== attempt.message_key && at > attempt.at - MAILBOX_MS,
  );
  const latest = [attempt, ...others].toSorted((a, b) => b.at - a.at).slice(0, MAILS_PER_MAILBOX_AND_DAY);
  return attemptsDocument(latest, attempt.at);
}

/** The record of attempts of which the last is at `lastAt`. */
export function attemptsDocument(attempts: readonly MailboxAttempt[], lastAt: number) {
  return {
    mailboxes: [...new Set(attempts.map(({ mailbox }) => mailbox))],
    attempts,
    expires_at: Timestamp.fromMillis(lastAt + MAILBOX_MS),
  };
}

/** When messages other than `messageKey` were last attempted to the mailbox. */
export function otherTimes(attempts: readonly MailboxAttempt[], mailbox: string, messageKey: string): number[] {
  const times = new Map<string, number>();
  for (const { message_key, at, ...attempt } of attempts) {
    if (attempt.mailbox !== mailbox || message_key === messageKey) continue;
    times.set(message_key, Math.max(at, times.get(message_key) ?? 0));
  }
  return [...times.values()];
}

function isAttempt(value: unknown): value is MailboxAttempt {
  return (
    typeof value === 'object' &&
    value !== null &&
    'mailbox' in value &&
    typeof value.mailbox === 'string' &&
    'message_key' in value &&
    typeof value.message_key === 'string' &&
    'at' in value &&
    typeof value.at === 'number'
  );
}
