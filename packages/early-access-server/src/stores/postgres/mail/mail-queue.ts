import { randomUUID } from 'node:crypto';
import { maySignUpAgain, PERSON_STATES } from '../../../app/list/states.ts';
import {
  afterAttempt,
  afterLease,
  isBeingSent,
  MAIL_STATES,
  type MessageOutcome,
  requeued,
} from '../../../app/mail/message.ts';
import { kindToResend, MESSAGE_KINDS } from '../../../app/mail/message-kinds.ts';
import type { Notice } from '../../../app/mail/notice.ts';
import type { UnsentMail } from '../../../app/mail/unsent-mail.ts';
import type { Clock } from '../../../app/ports.ts';
import { claimTokenOf, toMessage, toUnsentMail } from '../../sql/message-row.ts';
import { queueMessages } from '../../sql/messages.ts';
import { changeState } from '../../sql/person.ts';
import { integer, integerOrNull, oneOf } from '../../sql/row.ts';
import type { ClaimedMessage, MailQueue, ResendResult } from '../../store.ts';
import type { Queries, Transaction } from '../connection.ts';
import type { Database } from '../database.ts';
import { runTransaction } from '../run-transaction.ts';
import { type ClaimLimits, claimMessage } from './claim.ts';
import { nextDueAt } from './due-messages.ts';
import { findOldAttempts, removeOldAttempts } from './mailboxes.ts';
import { removeMessages, updateMessages } from './messages.ts';
import { quotaSpentUntil } from './quota.ts';

const UNSENT_PAGE = 1_000;

export function mailQueue(database: Database, clock: Clock, limits: ClaimLimits): MailQueue {
  return {
    mailsPerHour: limits.mailsPerHour,
    due: () => ({
      claimNext() {
        const now = clock();
        return database.claim((tx) => claimMessage(tx, limits, now));
      },
    }),
    recordOutcome: (message, outcome) => database.write((tx) => recordOutcome(tx, message, outcome, clock())),
    async expireLeases() {
      const now = clock();
      const work = await database.read(async (sql) => [
        ...(await findLapsed(sql, now)),
        ...(await findOldAttempts(sql, now)),
      ]);
      return work.length === 0 ? 0 : database.write((tx) => expireLeases(tx, now));
    },
    nextDueAt: () => database.read(nextDueAt),
    quotaSpentUntil: () => database.read((sql) => quotaSpentUntil(sql, limits.mailsPerHour, clock())),
    resend: (email) => database.write((tx) => resend(tx, email, clock())),
    notify: (recipients, notice) => database.write((tx) => queueNotices(tx, recipients, notice, clock())),
    isBeingSent: (email) => database.read((sql) => isBeingSentTo(sql, email, clock())),
    async counts() {
      const rows = await database.read(
        (sql) => sql`SELECT state, count(*) AS mails FROM early_access.mails GROUP BY state`,
      );
      return new Map(rows.map((row) => [oneOf(row, 'state', MAIL_STATES), integer(row, 'mails')]));
    },
    unsent: () => readUnsent(database),
  };
}

// Claims change queued messages only, so a writer may read a message in another state without locking it.

async function recordOutcome(
  tx: Transaction,
  { id, claimToken }: ClaimedMessage,
  outcome: MessageOutcome,
  now: number,
): Promise<void> {
  const [row] = await tx`SELECT * FROM early_access.mails WHERE id = ${Number(id)}`;
  if (row === undefined) return;
  const message = toMessage(row);
  if (claimTokenOf(message) !== claimToken) return;
  const next = afterAttempt(message, outcome, now);
  if (next === null) return;
  const [mail, signupId, campaignId] = [
    integer(row, 'id'),
    integerOrNull(row, 'signup_id'),
    integerOrNull(row, 'campaign_id'),
  ];
  // A notice is of no use once it is sent.
  if (outcome.state === 'sent' && signupId === null) return removeMessages(tx, [mail]);
  await updateMessages(tx, [{ id: mail, message: next }]);
  if (outcome.state === 'queued' && campaignId !== null) await removeIfCancelled(tx, mail, campaignId);
  if (outcome.state === 'failed' && outcome.bounced && signupId !== null) {
    await runTransaction(tx, changeState(signupId, 'bounce', now));
  }
}

/** An attempt that was in progress when its campaign was cancelled is not made again. */
async function removeIfCancelled(tx: Transaction, id: number, campaignId: number): Promise<void> {
  const cancelled = await tx`SELECT id FROM early_access.campaigns WHERE id = ${campaignId} AND state = 'cancelled'`;
  if (cancelled.length > 0) await removeMessages(tx, [id]);
}

function findLapsed(sql: Queries, now: number) {
  return sql`SELECT * FROM early_access.mails WHERE state = 'sending' AND lease_until < ${now} ORDER BY id`;
}

async function expireLeases(tx: Transaction, now: number): Promise<number> {
  const changes = (await findLapsed(tx, now)).flatMap((row) => {
    const message = afterLease(toMessage(row), now);
    return message === null ? [] : [{ id: integer(row, 'id'), message }];
  });
  await updateMessages(tx, changes);
  await removeOldAttempts(tx, now);
  return changes.length;
}

async function resend(tx: Transaction, email: string, now: number): Promise<ResendResult> {
  const [signup] = await tx`SELECT id, state FROM early_access.email_signups WHERE email = ${email}`;
  if (signup === undefined) return 'not-signed-up';
  const signupId = integer(signup, 'id');
  if (maySignUpAgain(oneOf(signup, 'state', PERSON_STATES))) return 'unsubscribed';
  // Locked, because a claim could begin an attempt between the decision and what it writes.
  const [row] = await tx`
    SELECT * FROM early_access.mails WHERE signup_id = ${signupId} AND campaign_id IS NULL
    ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE
  `;
  const next = row === undefined ? null : requeued(toMessage(row), now);
  if (row !== undefined && next === null) return 'being-sent';
  await runTransaction(tx, changeState(signupId, 'retry', now));
  const [person = signup] = await tx`SELECT state FROM early_access.email_signups WHERE id = ${signupId}`;
  // A signup that was made while welcome emails were off has no message yet.
  const last = row === undefined ? null : oneOf(row, 'kind', MESSAGE_KINDS);
  const kind = kindToResend(last, oneOf(person, 'state', PERSON_STATES));
  if (next === null || kind !== last) await runTransaction(tx, queueMessages([signupId], kind, now));
  else await updateMessages(tx, [{ id: integer(row, 'id'), message: next }]);
  return 'queued';
}

async function queueNotices(tx: Transaction, recipients: readonly string[], notice: Notice, now: number) {
  await tx`
    INSERT INTO early_access.mails (recipient, kind, data, message_key, next_attempt_at, changed_at)
    SELECT recipient, 'notice', ${JSON.stringify(notice)}, message_key, ${now}::bigint, ${now}::bigint
    FROM unnest(${[...recipients]}::text[], ${recipients.map(() => randomUUID())}::text[]) AS new (recipient, message_key)
  `;
}

async function isBeingSentTo(sql: Queries, email: string, now: number): Promise<boolean> {
  const rows = await sql`
    SELECT mails.* FROM early_access.email_signups AS signup JOIN early_access.mails ON signup_id = signup.id
    WHERE email = ${email} AND mails.state = 'sending'
  `;
  return rows.some((row) => isBeingSent(toMessage(row), now));
}

/** In pages, while you iterate. */
async function* readUnsent(database: Database): AsyncIterable<UnsentMail> {
  for (let after = 0; ; ) {
    const rows = await database.read(
      (sql) => sql`
        SELECT coalesce(email, recipient) AS address, mails.*
        FROM early_access.mails LEFT JOIN early_access.email_signups AS signup ON signup.id = signup_id
        WHERE mails.state <> 'sent' AND mails.id > ${after} ORDER BY mails.id LIMIT ${UNSENT_PAGE}
      `,
    );
    for (const row of rows) yield toUnsentMail(row);
    if (rows.length < UNSENT_PAGE) return;
    after = integer(rows.at(-1), 'id');
  }
}
