import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { maySignUpAgain, PERSON_STATES } from '../../../app/list/states.ts';
import { MAILBOX_MS, MAILBOX_SLACK_MS } from '../../../app/mail/mail-quota.ts';
import {
  afterAttempt,
  afterLease,
  isBeingSent,
  MAIL_STATES,
  type MailState,
  type MessageOutcome,
  requeued,
} from '../../../app/mail/message.ts';
import { kindToResend, MESSAGE_KINDS } from '../../../app/mail/message-kinds.ts';
import type { Notice } from '../../../app/mail/notice.ts';
import type { UnsentMail } from '../../../app/mail/unsent-mail.ts';
import { claimTokenOf, toMessage, toUnsentMail } from '../../sql/message-row.ts';
import { queueMessages } from '../../sql/messages.ts';
import { changeState } from '../../sql/person.ts';
import { integer, integerOrNull, oneOf } from '../../sql/row.ts';
import type { ClaimedMessage, ResendResult } from '../../store.ts';
import type { RunTransaction } from '../run-transaction.ts';
import { mailClaim, OF_CAMPAIGNS } from './claim.ts';
import { messageUpdate } from './message-row.ts';

/** Statements on `mails`, the mail queue. Each writing function is one member of a transaction. */
export function mailTable(db: DatabaseSync, run: RunTransaction, mailsPerHour: number, leaseMs: number) {
  const firstDue = (from: string, which: string) => `
    SELECT * FROM (
      SELECT next_attempt_at AS due FROM ${from} WHERE mails.state = 'queued' AND campaign_id ${which} ORDER BY due LIMIT 1
    )`;
  const nextDueAt = db.prepare(
    `SELECT min(due) AS due FROM (${firstDue('mails', 'IS NULL')} UNION ALL ${firstDue(OF_CAMPAIGNS, 'IS NOT NULL')})`,
  );
  const lapsed = db.prepare("SELECT * FROM mails WHERE state = 'sending' AND lease_until < ?");
  const forgotten = db.prepare('SELECT 1 FROM mailbox_attempts WHERE attempted_at <= ? LIMIT 1');
  const forget = db.prepare('DELETE FROM mailbox_attempts WHERE attempted_at <= ?');
  const find = db.prepare('SELECT * FROM mails WHERE id = ?');
  const findLast = db.prepare(
    'SELECT * FROM mails WHERE signup_id = ? AND campaign_id IS NULL ORDER BY id DESC LIMIT 1',
  );
  const findSending = db.prepare("SELECT * FROM mails WHERE signup_id = ? AND state = 'sending'");
  const findSignup = db.prepare('SELECT id, state FROM email_signups WHERE email = ?');
  const counts = db.prepare('SELECT state, count(*) AS mails FROM mails GROUP BY state');
  const unsent = db.prepare(`
    SELECT coalesce(email, recipient) AS address, mails.* FROM mails LEFT JOIN email_signups AS signup ON signup.id = signup_id
    WHERE mails.state <> 'sent' ORDER BY mails.id
  `);
  const remove = db.prepare('DELETE FROM mails WHERE id = ?');
  const insertNotice = db.prepare(`
    INSERT INTO mails (recipient, kind, data, message_key, next_attempt_at, changed_at) VALUES (?, 'notice', ?, ?, ?, ?)
  `);
  const { claim, quotaSpentUntil } = mailClaim(db, run, mailsPerHour, leaseMs);
  const update = messageUpdate(db);

  return {
    claim,
    quotaSpentUntil,
    nextDueAt: () => integerOrNull(nextDueAt.get(), 'due'),
    hasLapsed: (now: number) =>
      lapsed.get(now) !== undefined || forgotten.get(now - MAILBOX_MS - MAILBOX_SLACK_MS) !== undefined,
    recordOutcome({ id, messageKey, claimToken }: ClaimedMessage, outcome: MessageOutcome, now: number): void {
      const row = find.get(Number(id));
      if (row === undefined) return;
      const message = toMessage(row);
      if (message.message_key !== messageKey || claimTokenOf(message) !== claimToken) return;
      const next = afterAttempt(message, outcome, now);
      if (next === null) return;
      update(integer(row, 'id'), next);
      const signupId = integerOrNull(row, 'signup_id');
      // A notice is of no use once it is sent.
      if (outcome.state === 'sent' && signupId === null) remove.run(integer(row, 'id'));
      if (outcome.state === 'failed' && outcome.bounced && signupId !== null) run(changeState(signupId, 'bounce', now));
    },
    expireLeases(now: number): number {
      forget.run(now - MAILBOX_MS);
      const rows = lapsed.all(now);
      for (const row of rows) {
        const next = afterLease(toMessage(row), now);
        if (next !== null) update(integer(row, 'id'), next);
      }
      return rows.length;
    },
    resend(email: string, now: number): ResendResult {
      const signup = findSignup.get(email);
      if (signup === undefined) return 'not-signed-up';
      const signupId = integer(signup, 'id');
      const state = oneOf(signup, 'state', PERSON_STATES);
      if (maySignUpAgain(state)) return 'unsubscribed';
      const row = findLast.get(signupId);
      const next = row === undefined ? null : requeued(toMessage(row), now);
      if (row !== undefined && next === null) return 'being-sent';
      run(changeState(signupId, 'retry', now));
      // A signup that was made while welcome emails were off has no message yet.
      const last = row === undefined ? null : oneOf(row, 'kind', MESSAGE_KINDS);
      const kind = kindToResend(last, oneOf(findSignup.get(email) ?? signup, 'state', PERSON_STATES));
      if (next === null || kind !== last) run(queueMessages([signupId], kind, now));
      else update(integer(row, 'id'), next);
      return 'queued';
    },
    notify(recipients: readonly string[], notice: Notice, now: number): void {
      for (const recipient of recipients) insertNotice.run(recipient, JSON.stringify(notice), randomUUID(), now, now);
    },
    isBeingSent(email: string, now: number): boolean {
      const signup = findSignup.get(email);
      if (signup === undefined) return false;
      return findSending.all(integer(signup, 'id')).some((row) => isBeingSent(toMessage(row), now));
    },
    counts: (): ReadonlyMap<MailState, number> =>
      new Map(counts.all().map((row) => [oneOf(row, 'state', MAIL_STATES), integer(row, 'mails')])),
    *unsent(): Iterable<UnsentMail> {
      for (const row of unsent.iterate()) yield toUnsentMail(row);
    },
  };
}
