import { MAILBOX_MS, MAILS_PER_MAILBOX_AND_DAY, mailboxKey } from 'early-access-server/internal';
import { type DocumentReference, type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { DocumentReader } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { unreadable } from './fields.ts';

/** The last attempt to send a message to the mailbox; `at` in epoch milliseconds. */
export interface MailboxAttempt {
  readonly message_key: string;
  readonly at: number;
}

/** Returns the reference of the attempts to an address's mailbox. */
export function attemptsRef(reader: DocumentReader, email: string): DocumentReference {
  return reader.collection(COLLECTIONS.mailboxes).doc(mailboxKey(email));
}

/** The attempts of a record; none if there is no record. */
export function readAttempts(snapshot: DocumentSnapshot | undefined): readonly MailboxAttempt[] {
  const attempts: unknown = snapshot?.get('attempts');
  if (snapshot === undefined || attempts === undefined) return [];
  // Ignoring invalid data might flood the mailbox.
  if (!Array.isArray(attempts) || !attempts.every(isAttempt)) throw unreadable(snapshot, 'attempts');
  return attempts;
}

/**
 * Returns the record with this attempt, which replaces an earlier one of the same message. A TTL policy deletes the
 * record when no attempt counts any more.
 */
export function withAttempt(attempts: readonly MailboxAttempt[], attempt: MailboxAttempt) {
  const others = attempts.filter(
    ({ message_key, at }) => message_key !== attempt.message_key && at > attempt.at - MAILBOX_MS,
  );
  const latest = [attempt, ...others].toSorted((a, b) => b.at - a.at).slice(0, MAILS_PER_MAILBOX_AND_DAY);
  return { attempts: latest, expires_at: Timestamp.fromMillis(attempt.at + MAILBOX_MS) };
}

/** Returns the times of attempts for messages other than `messageKey`. */
export function otherTimes(attempts: readonly MailboxAttempt[], messageKey: string): number[] {
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
