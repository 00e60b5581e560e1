import { CAMPAIGN_STATES, stateToRepeat } from '../../app/campaigns/campaign.ts';
import { domainKey } from '../../app/lifecycle/mailbox.ts';
import { maySignUpAgain, PERSON_STATES } from '../../app/lifecycle/states.ts';
import { countComplaintsFrom } from '../../app/mail/complaints.ts';
import { afterOutcome, endPause, isPaused, readTrouble } from '../../app/mail/mail-pause.ts';
import { computeQuota, MAILBOX_MS, MAILBOX_SLACK_MS, nextQuotaHour, quotaHour } from '../../app/mail/mail-quota.ts';
import { chooseResend, MESSAGE_KINDS, type MessageKind, mayReceive, SIDE_KINDS } from '../../app/mail/message-kinds.ts';
import {
  afterAttempt,
  afterLease,
  decided,
  isBeingSent,
  isBounce,
  MAIL_STATES,
  type MessageOutcome,
  type MessageRecord,
  requeued,
  type UnknownDecision,
} from '../../app/mail/message-state.ts';
import type {
  ClaimedMessage,
  DueMessages,
  MailQueue,
  ResendResult,
  UnknownDecisionResult,
} from '../../app/ports/store.ts';
import { toPersonRow } from './list-rows.ts';
import { changePause, selectPause, toPause } from './mail-pause.ts';
import { createClaimToken, toMessage, toUnsentMail } from './message-row.ts';
import { queueMessages, saveMessages } from './messages.ts';
import { changeStates } from './person.ts';
import { integer, integerOrNull, integers, parseRowId, type Row, readChoice } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, runUnread, sql, type Transaction } from './statement.ts';
import type { StoreSettings } from './store-options.ts';

const UNSENT_PAGE = 1_000;

/**
 * Emails to people and admins. Claims only change queued messages, so other writes can read messages in other states
 * without locking them.
 */
export function mailQueue(
  { query, write, batch }: SqlDatabase,
  { clock, mailsPerHour }: StoreSettings,
  claimNext: DueMessages['claimNext'],
): MailQueue {
  const record = batch(recordOutcomes);
  return {
    mailsPerHour,
    due: () => ({ claimNext }),
    recordOutcome: (message, outcome) => record({ message, outcome, now: clock() }),
    async expireLeases() {
      const now = clock();
      const work = await query(sql`
        SELECT 1 WHERE EXISTS (SELECT 1 FROM @mails WHERE state = 'sending' AND lease_until < ${now})
          OR EXISTS (SELECT 1 FROM @mailbox_attempts WHERE attempted_at <= ${now - MAILBOX_MS - MAILBOX_SLACK_MS})
      `);
      return work.length === 0 ? 0 : write(() => expireLeases(clock()));
    },
    async findNextDue() {
      const [row] = await query(NEXT_DUE);
      return integerOrNull(row, 'due');
    },
    async quotaSpentUntil(kind) {
      const now = clock();
      const quota = kind === undefined ? mailsPerHour : computeQuota(kind, mailsPerHour);
      const [row] = await query(sql`SELECT attempts FROM @mail_hours WHERE hour = ${quotaHour(now)}`);
      return row === undefined || integer(row, 'attempts') < quota ? null : nextQuotaHour(now);
    },
    resend: (email) => write(() => resend(email, clock())),
    async isBeingSent(email) {
      const rows = await query(sql`
        SELECT mails.* FROM @email_signups AS signup JOIN @mails AS mails ON signup_id = signup.id
        WHERE email = ${email} AND mails.state = 'sending'
      `);
      return rows.some((row) => isBeingSent(toMessage(row), clock()));
    },
    async counts(kind) {
      const ofKind = kind === undefined ? sql`` : sql`WHERE kind = ${kind}`;
      const rows = await query(sql`SELECT state, count(*) AS mails FROM @mails ${ofKind} GROUP BY state`);
      return new Map(rows.map((row) => [readChoice(row, 'state', MAIL_STATES), integer(row, 'mails')]));
    },
    async backlog() {
      // There are partial indexes per state, which are only used by queries for a single state.
      const [row] = await query(sql`
        SELECT (SELECT count(*) FROM @mails WHERE state = 'queued' AND campaign_id IS NULL) AS queued,
          (SELECT count(*) FROM @mails WHERE state = 'queued' AND campaign_id IS NOT NULL) AS of_campaigns,
          (SELECT count(*) FROM @mails WHERE state = 'sending') AS sending,
          (SELECT count(*) FROM @mails WHERE state = 'failed') AS failed,
          (SELECT count(*) FROM @mails WHERE state = 'unknown') AS unknown
      `);
      return {
        queued: integer(row, 'queued') + integer(row, 'of_campaigns'),
        sending: integer(row, 'sending'),
        failed: integer(row, 'failed'),
        unknown: integer(row, 'unknown'),
      };
    },
    async waiting() {
      const now = clock();
      const [row] = await query(sql`
        SELECT count(*) AS queued,
          count(CASE WHEN is_held THEN 1 END) AS held,
          count(CASE WHEN NOT is_held AND next_attempt_at > ${now} THEN 1 END) AS planned,
          min(CASE WHEN NOT is_held AND next_attempt_at > ${now} THEN next_attempt_at END) AS planned_at
        FROM (
          SELECT next_attempt_at,
            campaign_id IS NOT NULL AND campaign_id NOT IN (SELECT id FROM @campaigns WHERE state = 'sending') AS is_held
          FROM @mails WHERE state = 'queued'
        ) AS waiting
      `);
      const [held, planned] = [integer(row, 'held'), integer(row, 'planned')];
      return {
        due: integer(row, 'queued') - held - planned,
        planned,
        planned_at: integerOrNull(row, 'planned_at'),
        of_paused_campaigns: held,
      };
    },
    async pause() {
      const [row] = await query(selectPause());
      const pause = toPause(row);
      return pause !== null && pause.refusals > 0 ? pause : null;
    },
    async trouble() {
      const [row] = await query(selectPause());
      return readTrouble(toPause(row));
    },
    async endPause() {
      const { before } = await write(() => changePause((pause) => endPause(pause, clock())));
      return isPaused(before, clock());
    },
    async complaints() {
      const now = clock();
      const [last] = await query(sql`SELECT max(resumed_at) AS resumed_at FROM @campaigns`);
      const since = countComplaintsFrom(now, integerOrNull(last, 'resumed_at'));
      const [row] = await query(sql`
        SELECT count(*) AS emails, count(CASE WHEN complained = 1 THEN 1 END) AS complaints
        FROM @mails WHERE state = 'sent' AND changed_at > ${since}
      `);
      return { since, ...integers(row, ['emails', 'complaints']) };
    },
    decideUnknown: (id, decision) => write(() => decideUnknown(id, decision, clock())),
    async *unsent({ kind, state, campaign } = {}) {
      const filter = sql`
        ${kind === undefined ? sql`` : sql`AND kind = ${kind}`}
        ${campaign === undefined ? sql`` : sql`AND campaign_id = ${parseRowId(campaign)}`}
        ${state === undefined ? sql`AND mails.state <> 'sent'` : sql`AND mails.state = ${state}`}
      `;
      for (let after = 0; ; ) {
        const rows = await query(sql`
          SELECT coalesce(recipient, email) AS address, mails.*
          FROM @mails AS mails LEFT JOIN @email_signups AS signup ON signup.id = signup_id
          WHERE mails.id > ${after} ${filter} ORDER BY mails.id LIMIT ${UNSENT_PAGE}
        `);
        for (const row of rows) yield toUnsentMail(row);
        if (rows.length < UNSENT_PAGE) return;
        after = integer(rows.at(-1), 'id');
      }
    },
  };
}

/**
 * Both parts find their row through an index, regardless of the size of the queue. Messages of campaigns that are not
 * being sent have to wait.
 */
export const NEXT_DUE = sql`
  SELECT min(next_attempt_at) AS due FROM (
    SELECT * FROM (
      SELECT next_attempt_at FROM @mails WHERE state = 'queued' AND campaign_id IS NULL ORDER BY next_attempt_at LIMIT 1
    ) AS other
    UNION ALL
    SELECT * FROM (
      SELECT next_attempt_at FROM @mails WHERE state = 'queued' AND campaign_id IS NOT NULL
        AND #unindexed campaign_id IN (SELECT id FROM @campaigns WHERE state = 'sending')
      ORDER BY next_attempt_at LIMIT 1
    ) AS of_campaigns
  ) AS first
`;

interface Attempt {
  readonly message: ClaimedMessage;
  readonly outcome: MessageOutcome;
  readonly now: number;
}

function* recordOutcomes(attempts: readonly Attempt[]): Transaction<readonly undefined[]> {
  const results = attempts.map(() => undefined);
  const ids = new Set(attempts.map(({ message }) => parseRowId(message.id)));
  const rows = yield* sql`
    SELECT mails.*, (SELECT data FROM @mail_pause) AS pause FROM @mails AS mails WHERE id IN (${list([...ids])})
  `;
  const stored = new Map(rows.map((row) => [integer(row, 'id'), { row, message: toMessage(row) }]));
  let mayPause = toPause(rows[0]) !== null;
  const ended = new Map<
    number,
    { id: number; row: Row; message: MessageRecord; outcome: MessageOutcome; now: number }
  >();
  for (const attempt of attempts) {
    const { id: rowId, messageKey, claimToken } = attempt.message;
    const id = parseRowId(rowId);
    const { row, message } = stored.get(id) ?? {};
    if (row === undefined || message?.message_key !== messageKey || createClaimToken(message) !== claimToken) continue;
    const { outcome, now } = attempt;
    if (afterAttempt(message, outcome, now) === null) continue;
    mayPause ||= outcome.state !== 'sent';
    const person = String(integerOrNull(row, 'signup_id') ?? messageKey);
    const pause = mayPause
      ? (yield* changePause((pause) =>
          afterOutcome(pause, outcome, { messageKey, person, domain: domainKey(attempt.message.email) }, now),
        )).after
      : null;
    const next = afterAttempt(message, outcome, now, isPaused(pause, now));
    if (next === null) continue;
    stored.set(id, { row, message: next });
    ended.set(id, { id, row, message: next, outcome, now });
  }
  // A notice is not needed once it has been sent.
  const isUseless = ({ row, outcome }: { readonly row: Row; readonly outcome: MessageOutcome }) =>
    outcome.state === 'sent' && integerOrNull(row, 'signup_id') === null;
  const useless = [...ended.values()].filter(isUseless).map(({ id }) => id);
  if (useless.length > 0) yield* runUnread(sql`DELETE FROM @mails WHERE id IN (${list(useless)})`);
  const saved = [...ended.values()].filter((attempt) => !isUseless(attempt));
  if (saved.length > 0) yield* runUnread(saveMessages(saved));
  for (const { id, row, outcome, now } of saved) {
    const signupId = integerOrNull(row, 'signup_id');
    // If the campaign was cancelled during an attempt, it is not attempted again.
    if (outcome.state === 'queued' && integerOrNull(row, 'campaign_id') !== null) {
      yield* sql`
        DELETE FROM @mails WHERE id = ${id} AND campaign_id IN (SELECT id FROM @campaigns WHERE state = 'cancelled')
      `;
    }
    const kind = readChoice(row, 'kind', MESSAGE_KINDS);
    if (isBounce(outcome, kind) && signupId !== null) yield* changeStates([signupId], 'bounce', 'mail-server', now);
  }
  return results;
}

function* expireLeases(now: number): Transaction<number> {
  let expired = 0;
  for (const row of yield* sql`SELECT * FROM @mails WHERE state = 'sending' AND lease_until < ${now} ORDER BY id`) {
    const next = afterLease(toMessage(row), now);
    if (next === null) continue;
    yield* saveMessages([{ id: integer(row, 'id'), message: next }]);
    expired += 1;
  }
  // Skips messages that a claim has locked until the next run, so that neither waits for the other.
  yield* sql`
    DELETE FROM @mailbox_attempts WHERE message_key IN (
      SELECT message_key FROM @mailbox_attempts WHERE attempted_at <= ${now - MAILBOX_MS} #lockFree
    )
  `;
  return expired;
}

function* resend(email: string, now: number): Transaction<ResendResult> {
  const [signup] = yield* sql`SELECT * FROM @email_signups WHERE email = ${email}`;
  if (signup === undefined) return 'not-signed-up';
  const { id: signupId, state, bouncedFrom } = toPersonRow(signup);
  if (maySignUpAgain(state)) return 'unsubscribed';
  // Locked, because a claim could start an attempt between the decision and the write.
  const [row] = yield* sql`
    SELECT * FROM @mails WHERE signup_id = ${signupId} AND campaign_id IS NULL AND kind NOT IN (${list(SIDE_KINDS)})
    ORDER BY id DESC LIMIT 1 #lock
  `;
  const last = row === undefined ? null : readChoice(row, 'kind', MESSAGE_KINDS);
  const kind = chooseResend(last, { state, bouncedFrom, isImported: signup.traffic_source_id === null });
  if (kind === null) return 'no-email';
  if (row === undefined) return yield* sendFirst(signupId, kind, now);
  const next = requeued(toMessage(row), now);
  if (next === null) return 'being-sent';
  yield* changeStates([signupId], 'retry', 'admin', now);
  if (kind === last) yield* saveMessages([{ id: integer(row, 'id'), message: next }]);
  else yield* queueMessages([signupId], kind, now);
  return 'queued';
}

function* decideUnknown(id: string, decision: UnknownDecision, now: number): Transaction<UnknownDecisionResult> {
  const [row] = yield* sql`
    SELECT mails.*, (SELECT state FROM @campaigns WHERE id = campaign_id) AS campaign_state,
      (SELECT state FROM @email_signups WHERE id = signup_id) AS person_state
    FROM @mails AS mails WHERE state = 'unknown' AND message_key = ${id} #lock
  `;
  const next = row === undefined ? null : decided(toMessage(row), decision, now);
  if (row === undefined || next === null) return 'known';
  const saved = { id: integer(row, 'id'), message: next };
  const kind = readChoice(row, 'kind', MESSAGE_KINDS);
  if (decision === 'sent') {
    // A notice is not needed once it has been sent.
    yield* kind === 'notice' ? sql`DELETE FROM @mails WHERE id = ${saved.id}` : saveMessages([saved]);
    return 'done';
  }
  if (row.person_state !== null && !mayReceive(readChoice(row, 'person_state', PERSON_STATES), kind))
    return 'not-wanted';
  const campaign = row.campaign_state === null ? null : readChoice(row, 'campaign_state', CAMPAIGN_STATES);
  const state = campaign && stateToRepeat(campaign);
  if (campaign !== null && state === null) return 'cancelled';
  yield* saveMessages([saved]);
  if (state !== campaign) yield* sql`UPDATE @campaigns SET state = 'sending' WHERE id = ${integer(row, 'campaign_id')}`;
  return 'done';
}

/** Queues the message of a person who has never had one. Queues it once, even if two admins do it at the same time. */
function* sendFirst(signupId: number, kind: MessageKind, now: number): Transaction<'queued'> {
  yield* sql`SELECT id FROM @email_signups WHERE id = ${signupId} #lock`;
  const [queued] = yield* sql`
    SELECT 1 FROM @mails WHERE signup_id = ${signupId} AND campaign_id IS NULL AND kind NOT IN (${list(SIDE_KINDS)}) LIMIT 1
  `;
  if (queued !== undefined) return 'queued';
  yield* changeStates([signupId], 'retry', 'admin', now);
  yield* queueMessages([signupId], kind, now);
  return 'queued';
}
