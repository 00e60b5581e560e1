import type { DatabaseSync } from 'node:sqlite';
import type { UnsentMail } from '../../app/mail/mail-line.ts';
import type { Settlement } from '../../app/mail/settlement.ts';
import { type ClaimedMail, type MailClaim, mailClaim } from './mail-claim.ts';
import { integer, integerOrNull, type Row, text, textOrNull } from './row.ts';

/**
 * `queued` waits for its next attempt; `sending` was marked on the disk before it was handed over; `sent` was taken by the
 * mail server; `failed` was refused for good; `unknown` may have gone out, and is never sent again by itself.
 */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'failed', 'unknown'] as const;

export type ResendResult = 'queued' | 'being-sent' | 'not-signed-up';

/** Statements on `mails`, the outbox. Each writing method is one member of a transaction. */
export interface MailTable extends MailClaim {
  /** When the next queued mail is due, or null where none is queued. */
  nextDue(): number | null;
  /** Whether a lease has run out. */
  hasLapsed(now: number): boolean;
  /** Keeps the outcome of a claimed attempt, also where its lease has run out meanwhile. */
  settle(mail: ClaimedMail, settlement: Settlement, now: number): void;
  /** Turns `sending` with a lapsed lease into `unknown`: whoever sent it ended before it knew. Answers how many. */
  expire(now: number): number;
  /** Queues the mail of this address once more, whatever came of it. For the owner's deliberate decision alone. */
  resend(email: string, now: number): ResendResult;
  /** Whether a process is delivering the message of this address right now. */
  isBeingSent(email: string, now: number): boolean;
  counts(): ReadonlyMap<string, number>;
  /** Every mail that is not `sent`, oldest first, read as it is asked for. */
  unsent(): Iterable<UnsentMail>;
}

export function mailTable(db: DatabaseSync, mailsPerHour: number): MailTable {
  const nextDue = db.prepare("SELECT min(next_attempt_at) AS due FROM mails WHERE state = 'queued'");
  const lapsed = db.prepare("SELECT 1 FROM mails WHERE state = 'sending' AND lease_until < ? LIMIT 1");
  // The lease is the token of the attempt: a later attempt has a later one, so that a late outcome cannot touch it.
  const settle = db.prepare(`
    UPDATE mails SET state = ?, next_attempt_at = coalesce(?, next_attempt_at), reason = ?, changed_at = ?
    WHERE signup_id = ? AND message_key = ? AND lease_until = ? AND state IN ('sending', 'unknown')
  `);
  const expire = db.prepare(`
    UPDATE mails SET state = 'unknown', reason = 'the sending process ended before it knew', changed_at = ?
    WHERE state = 'sending' AND lease_until < ?
  `);
  const find = db.prepare(`
    SELECT signup_id, state FROM mails WHERE signup_id = (SELECT id FROM email_signups WHERE email = ?)
  `);
  const beingSent = db.prepare(`
    SELECT 1 FROM mails JOIN email_signups ON id = signup_id WHERE email = ? AND state = 'sending' AND lease_until >= ?
  `);
  const requeue = db.prepare(`
    UPDATE mails SET state = 'queued', attempts = 0, next_attempt_at = ?, reason = NULL, changed_at = ? WHERE signup_id = ?
  `);
  const counts = db.prepare('SELECT state, count(*) AS mails FROM mails GROUP BY state');
  const unsent = db.prepare(`
    SELECT email, state, attempts, next_attempt_at, reason FROM mails JOIN email_signups ON id = signup_id
    WHERE state <> 'sent' ORDER BY signup_id
  `);

  return {
    ...mailClaim(db, mailsPerHour),
    nextDue: () => integerOrNull(nextDue.get(), 'due'),
    hasLapsed: (now) => lapsed.get(now) !== undefined,
    settle({ signupId, messageKey, leaseUntil }, settlement, now) {
      const retryAt = settlement.state === 'queued' ? settlement.retryAt : null;
      const reason = settlement.state === 'sent' ? null : settlement.reason;
      settle.run(settlement.state, retryAt, reason, now, signupId, messageKey, leaseUntil);
    },
    expire: (now) => Number(expire.run(now, now).changes),
    resend(email, now) {
      const row = find.get(email);
      if (row === undefined) return 'not-signed-up';
      if (row.state === 'sending') return 'being-sent';
      requeue.run(now, now, integer(row, 'signup_id'));
      return 'queued';
    },
    isBeingSent: (email, now) => beingSent.get(email, now) !== undefined,
    counts: () => new Map(counts.all().map((row) => [text(row, 'state'), integer(row, 'mails')])),
    *unsent() {
      for (const row of unsent.iterate()) yield toUnsent(row);
    },
  };
}

function toUnsent(row: Row): UnsentMail {
  return {
    email: text(row, 'email'),
    state: text(row, 'state'),
    attempts: integer(row, 'attempts'),
    nextAttemptAt: integer(row, 'next_attempt_at'),
    reason: textOrNull(row, 'reason'),
  };
}
