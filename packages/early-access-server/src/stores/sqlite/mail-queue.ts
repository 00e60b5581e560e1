import type { DatabaseSync } from 'node:sqlite';
import {
  afterAttempt,
  afterLease,
  isBeingSent,
  MAIL_STATES,
  type MailState,
  type MessageOutcome,
  requeued,
} from '../../app/mail/message.ts';
import type { UnsentMail } from '../../app/mail/unsent-mail.ts';
import type { ClaimedMessage, ResendResult } from '../store.ts';
import { mailClaim } from './mail-claim.ts';
import { claimTokenOf, messageInsert, messageUpdate, toMessage } from './message-row.ts';
import { integer, integerOrNull, oneOf, text } from './row.ts';

/** Statements on `mails`, the mail queue. Each writing function is one member of a transaction. */
export function mailTable(db: DatabaseSync, mailsPerHour: number, leaseMs: number) {
  const nextDueAt = db.prepare("SELECT min(next_attempt_at) AS due FROM mails WHERE state = 'queued'");
  const lapsed = db.prepare("SELECT * FROM mails WHERE state = 'sending' AND lease_until < ?");
  const find = db.prepare('SELECT * FROM mails WHERE signup_id = ?');
  const findByEmail = db.prepare(
    'SELECT * FROM mails WHERE signup_id = (SELECT id FROM email_signups WHERE email = ?)',
  );
  const findSignup = db.prepare('SELECT id FROM email_signups WHERE email = ?');
  const counts = db.prepare('SELECT state, count(*) AS mails FROM mails GROUP BY state');
  const unsent = db.prepare(`
    SELECT email, mails.* FROM mails JOIN email_signups ON id = signup_id WHERE state <> 'sent' ORDER BY signup_id
  `);
  const { claim, quotaSpentUntil } = mailClaim(db, mailsPerHour, leaseMs);
  const update = messageUpdate(db);
  const insert = messageInsert(db);

  /** For a signup that was made while welcome emails were off. */
  function queueFirst(email: string, now: number): ResendResult {
    const signup = findSignup.get(email);
    if (signup === undefined) return 'not-signed-up';
    insert(integer(signup, 'id'), now);
    return 'queued';
  }

  return {
    claim,
    quotaSpentUntil,
    nextDueAt: () => integerOrNull(nextDueAt.get(), 'due'),
    hasLapsed: (now: number) => lapsed.get(now) !== undefined,
    recordOutcome({ signupId, messageKey, claimToken }: ClaimedMessage, outcome: MessageOutcome, now: number): void {
      const row = find.get(Number(signupId));
      if (row === undefined) return;
      const message = toMessage(row);
      if (message.message_key !== messageKey || claimTokenOf(message) !== claimToken) return;
      const next = afterAttempt(message, outcome, now);
      if (next !== null) update(integer(row, 'signup_id'), next);
    },
    expireLeases(now: number): number {
      const rows = lapsed.all(now);
      for (const row of rows) {
        const next = afterLease(toMessage(row), now);
        if (next !== null) update(integer(row, 'signup_id'), next);
      }
      return rows.length;
    },
    resend(email: string, now: number): ResendResult {
      const row = findByEmail.get(email);
      if (row === undefined) return queueFirst(email, now);
      const next = requeued(toMessage(row), now);
      if (next === null) return 'being-sent';
      update(integer(row, 'signup_id'), next);
      return 'queued';
    },
    isBeingSent(email: string, now: number): boolean {
      const row = findByEmail.get(email);
      return row !== undefined && isBeingSent(toMessage(row), now);
    },
    counts: (): ReadonlyMap<MailState, number> =>
      new Map(counts.all().map((row) => [oneOf(row, 'state', MAIL_STATES), integer(row, 'mails')])),
    *unsent(): Iterable<UnsentMail> {
      for (const row of unsent.iterate()) {
        const { state, attempts, next_attempt_at: nextAttemptAt, reason } = toMessage(row);
        yield { email: text(row, 'email'), state, attempts, nextAttemptAt, reason };
      }
    },
  };
}
