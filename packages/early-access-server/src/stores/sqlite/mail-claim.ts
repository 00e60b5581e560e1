import type { DatabaseSync } from 'node:sqlite';
import {
  decideDelivery,
  MAILS_PER_MAILBOX_AND_DAY,
  mailboxFreeAt,
  mailboxKey,
  nextQuotaHour,
  quotaHour,
} from '../../app/mail/mail-quota.ts';
import { beginAttempt, postponed } from '../../app/mail/message.ts';
import type { Claim } from '../store.ts';
import { claimTokenOf, messageUpdate, toMessage } from './message-row.ts';
import { integer, text } from './row.ts';

/** Messages that one claim may postpone, so that its transaction stays short. */
const MAX_POSTPONED = 50;

const DAY_MS = 86_400_000;

/** Each finds its rows by an index, however many messages wait, for one mailbox or in all. */
export const CLAIM_QUERIES = {
  due: `
    SELECT email, mails.* FROM mails JOIN email_signups ON id = signup_id
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
  quotaSpentUntil(now: number): number | null;
  /** Claims the message that has been due longest. Postpones those before it whose mailbox is full, in order. */
  claim(now: number): Claim;
}

/** One member of a transaction each. */
export function mailClaim(db: DatabaseSync, mailsPerHour: number, leaseMs: number): MailClaim {
  const due = db.prepare(CLAIM_QUERIES.due);
  const attempted = db.prepare(CLAIM_QUERIES.attempted);
  const planned = db.prepare(CLAIM_QUERIES.planned);
  const hourAttempts = db.prepare(CLAIM_QUERIES.hourAttempts);
  const setMailbox = db.prepare('UPDATE mails SET mailbox = ? WHERE signup_id = ?');
  const setAttempted = db.prepare('UPDATE mails SET mailbox = ?, attempted_at = ? WHERE signup_id = ?');
  const count = db.prepare(
    'INSERT INTO mail_hours (hour, attempts) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET attempts = attempts + 1',
  );
  const removeHours = db.prepare('DELETE FROM mail_hours WHERE hour < ?');
  const update = messageUpdate(db);

  const attemptsIn = (hour: number) => integer(hourAttempts.get(hour), 'attempts');
  const timesOf = (rows: ReturnType<typeof attempted.all>) => rows.map((row) => integer(row, 'time'));

  return {
    quotaSpentUntil: (now) => (attemptsIn(quotaHour(now)) < mailsPerHour ? null : nextQuotaHour(now)),
    claim(now) {
      const hour = quotaHour(now);
      for (let postpones = 0; postpones < MAX_POSTPONED; postpones += 1) {
        const row = due.get(now);
        if (row === undefined) return 'nothing';
        const [signupId, email, message] = [integer(row, 'signup_id'), text(row, 'email'), toMessage(row)];
        const mailbox = mailboxKey(email);
        const attemptTimes = timesOf(attempted.all(mailbox, signupId));
        const decision = decideDelivery({ attemptTimes, hourAttempts: attemptsIn(hour), mailsPerHour }, now);
        if (decision === 'quota-spent') return decision;
        if (decision === 'mailbox-full') {
          const times = [...attemptTimes, ...timesOf(planned.all(mailbox, now))];
          update(signupId, postponed(message, mailboxFreeAt(times, now), now));
          setMailbox.run(mailbox, signupId);
          continue;
        }
        const begun = beginAttempt(message, now, leaseMs);
        update(signupId, begun);
        setAttempted.run(mailbox, now, signupId);
        count.run(hour);
        removeHours.run(hour - DAY_MS);
        return {
          signupId: String(signupId),
          email,
          messageKey: begun.message_key,
          attempts: begun.attempts,
          claimToken: claimTokenOf(begun),
        };
      }
      return 'mailbox-full';
    },
  };
}
