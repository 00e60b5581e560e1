import { MAILBOX_MS, MAILS_PER_MAILBOX_AND_DAY } from 'early-access-server/stores';
import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import { unreadable } from '../fields.ts';

/** The last attempt of a message; `at` in epoch milliseconds. */
export interface MailboxAttempt {
  readonly message_key: string;
  readonly at: number;
}

/** The latest messages attempted to a mailbox, from `mailboxes/{SHA-256 of the mailbox}`; none if there is no record. */
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
  return {
    attempts: [attempt, ...others].toSorted((a, b) => b.at - a.at).slice(0, MAILS_PER_MAILBOX_AND_DAY),
    expires_at: Timestamp.fromMillis(attempt.at + MAILBOX_MS),
  };
}

/** When messages other than `messageKey` were attempted. */
export function otherTimes(attempts: readonly MailboxAttempt[], messageKey: string | undefined): number[] {
  return attempts.filter(({ message_key }) => message_key !== messageKey).map(({ at }) => at);
}

function isAttempt(value: unknown): value is MailboxAttempt {
  return (
    typeof value === 'object' &&
    value !== null &&
    'message_key' in value &&
    typeof value.message_key === 'string' &&
    'at' in value &&
    typeof value.at === 'number'
  );
}
