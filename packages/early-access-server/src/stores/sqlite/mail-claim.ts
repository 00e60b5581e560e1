import type { DatabaseSync } from 'node:sqlite';
import {
  decideDelivery,
  MAILBOX_FULL_REASON,
  MAILS_PER_MAILBOX_AND_DAY,
  mailboxFreeAt,
  nextQuotaHour,
  quotaHour,
} from '../../app/mail/mail-quota.ts';
import { mailboxKey } from '../../app/mail/mailbox.ts';
import { integer, text } from './row.ts';

/** A mail that this process alone may hand over, until `leaseUntil`. */
export interface ClaimedMail {
  readonly signupId: number;
  readonly email: string;
  /** The same for every attempt of one sign-up; the Message-ID is made of it. */
  readonly messageKey: string;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly leaseUntil: number;
}

/** Messages that one claim may postpone, so that its transaction stays short. */
const MAX_POSTPONED = 50;

const DAY_MS = 86_400_000;

/** Each finds its rows by an index, however many messages wait, for one mailbox or in all. */
export const CLAIM_QUERIES = {
  due: `
    SELECT signup_id, email FROM mails JOIN email_signups ON id = signup_id
    WHERE state = 'queued' AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT 1`,
  attempted: `
    SELECT attempted_at AS time FROM mails WHERE mailbox = ? AND attempted_at IS NOT NULL AND signup_id <> ?
    ORDER BY attempted_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}`,
  planned: `
    SELECT next_attempt_at AS time FROM mails WHERE mailbox = ? AND state = 'queued' AND next_attempt_at > ?
    ORDER BY next_attempt_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}`,
  hourAttempts: 'SELECT coalesce(max(attempts), 0) AS attempts FROM mail_hours WHERE hour = ?',
} as const;

export interface MailClaim {
  /** When the next hour's quota starts, if this hour's is spent; otherwise null. */
  quotaSpentUntil(now: number): number | null;
  /**
   * Marks the message that has been due longest `sending` and counts the attempt, if the limits allow it. Messages to mailboxes that have no
   * room are postponed to when there is, in order. Returns null if nothing is due, the quota is spent, or it has postponed its share.
   */
  claim(now: number, leaseMs: number): ClaimedMail | null;
}

/** One member of a transaction each. */
export function mailClaim(db: DatabaseSync, mailsPerHour: number): MailClaim {
  const due = db.prepare(CLAIM_QUERIES.due);
  const attempted = db.prepare(CLAIM_QUERIES.attempted);
  const planned = db.prepare(CLAIM_QUERIES.planned);
  const hourAttempts = db.prepare(CLAIM_QUERIES.hourAttempts);
  const postpone = db.prepare(
    'UPDATE mails SET mailbox = ?, next_attempt_at = ?, reason = ?, changed_at = ? WHERE signup_id = ?',
  );
  const begin = db.prepare(`
    UPDATE mails SET state = 'sending', attempts = attempts + 1, lease_until = ?, changed_at = ?, mailbox = ?, attempted_at = ?
    WHERE signup_id = ? RETURNING message_key, attempts
  `);
  const count = db.prepare(
    'INSERT INTO mail_hours (hour, attempts) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET attempts = attempts + 1',
  );
  const forgetHours = db.prepare('DELETE FROM mail_hours WHERE hour < ?');

  const attemptsIn = (hour: number) => integer(hourAttempts.get(hour), 'attempts');

  return {
    quotaSpentUntil: (now) => (attemptsIn(quotaHour(now)) < mailsPerHour ? null : nextQuotaHour(now)),
    claim(now, leaseMs) {
      const hour = quotaHour(now);
      for (let postponed = 0; postponed < MAX_POSTPONED; postponed += 1) {
        const row = due.get(now);
        if (row === undefined) return null;
        const [signupId, email] = [integer(row, 'signup_id'), text(row, 'email')];
        const mailbox = mailboxKey(email);
        const attemptTimes = attempted.all(mailbox, signupId).map((other) => integer(other, 'time'));
        const decision = decideDelivery({ attemptTimes, hourAttempts: attemptsIn(hour), mailsPerHour }, now);
        if (decision === 'quota-spent') return null;
        if (decision === 'mailbox-full') {
          const times = [...attemptTimes, ...planned.all(mailbox, now).map((other) => integer(other, 'time'))];
          postpone.run(mailbox, mailboxFreeAt(times, now), MAILBOX_FULL_REASON, now, signupId);
          continue;
        }
        const leaseUntil = now + leaseMs;
        const begun = begin.get(leaseUntil, now, mailbox, now, signupId);
        count.run(hour);
        forgetHours.run(hour - DAY_MS);
        return {
          signupId,
          email,
          messageKey: text(begun ?? {}, 'message_key'),
          attempts: integer(begun, 'attempts'),
          leaseUntil,
        };
      }
      return null;
    },
  };
}
