import type { MailState } from '../../../app/mail/message-state.ts';
import type { Claim } from '../../../app/ports/store.ts';
import {
  beginDeliveries,
  type ClaimLimits,
  type ClaimUsage,
  countAttempts,
  type DueMessage,
  decideClaim,
  dropMessages,
  findOtherDomain,
  isUndeliverable,
  probePause,
  toDueMessage,
} from '../../sql/claim.ts';
import { toPause } from '../../sql/mail-pause.ts';
import { NEXT_DUE } from '../../sql/mail-queue.ts';
import { integer, integerOrNull } from '../../sql/row.ts';
import { runTogether, runUnread, sql, type Transaction } from '../../sql/statement.ts';
import { selectDue } from './due-messages.ts';
import { lockMailboxes, type MailboxUse, selectUse, toMailboxes } from './mailboxes.ts';

/**
 * How many messages a claim reads if it could deliver none of the first ones, all of which it may postpone or delete.
 */
const LARGE_STEP = 50;

/**
 * Claims the message that has been due longest for each caller, campaigns last. Messages before it are postponed in
 * order if their mailbox is full, and deleted if the person may not receive them. Only waits for other claims to count
 * the attempts. Never waits for writers, unless it deletes a campaign message.
 */
export function claimMessages(limits: ClaimLimits) {
  return function* (callers: readonly number[]): Transaction<readonly Claim[]> {
    const now = Math.max(...callers);
    const repeat = (claim: Claim) => callers.map(() => claim);
    let passedOver = 0;
    for (const step of [callers.length, Math.max(callers.length, LARGE_STEP)]) {
      const first = yield* selectDue(now, step);
      if (first.length === 0) continue;
      const pause = toPause(first[0]);
      const other = yield* findOtherDomain(pause, now);
      const others = other === null ? [] : yield* selectDue(now, 1, other);
      const due = (others.length > 0 ? others : first).map(toDueMessage);
      // After a pause, a single message is sent as a probe.
      const isTried = pause !== null;
      const reserved = isTried ? 1 : Math.min(callers.length, due.length);
      const mailboxes = JSON.stringify([...new Set(due.flatMap(({ person }) => person?.mailbox ?? []))]);
      // A separate statement selects the usage, so that it sees everything stored before the lock was acquired.
      const [locks, uses, counted] = yield* runTogether([
        lockMailboxes(mailboxes),
        selectUse(mailboxes, now),
        countAttempts(reserved, now),
      ]);
      const usage = { mailsPerHour: limits.mailsPerHour, hourAttempts: integer(counted?.[0], 'attempts') - reserved };
      const { dropped, full, next, isQuotaSpent } = choose(due, toMailboxes(locks, uses), usage, reserved, now);
      passedOver += dropped.length + full.length;
      const [tried] = next;
      const isPaused = tried !== undefined && isTried && (yield* probePause(tried, limits, now));
      const started = isPaused ? [] : next;
      if (started.length < reserved) yield* runUnread(countAttempts(started.length - reserved, now));
      yield* dropMessages(dropped, now);
      if (full.length > 0) yield* postpone(full);
      if (isPaused) return repeat('paused');
      if (started.length > 0) {
        const hourAttempts = usage.hourAttempts + started.length;
        const { statements, messages } = beginDeliveries({ due: started, hourAttempts }, limits, now);
        for (const statement of statements) yield* runUnread(statement);
        return callers.map((_, index) => messages[index] ?? (isQuotaSpent ? 'quota-spent' : 'taken'));
      }
      if (isQuotaSpent) return repeat('quota-spent');
    }
    if (passedOver > 0) return repeat('mailbox-full');
    // Either other transactions have locked the due messages, or there are none.
    const [first] = yield* NEXT_DUE;
    return repeat((integerOrNull(first, 'due') ?? Number.POSITIVE_INFINITY) <= now ? 'taken' : 'nothing');
  };
}

interface Postponed {
  readonly id: number;
  readonly mailbox: string | null;
  readonly state: MailState;
  readonly next_attempt_at: number;
  readonly reason: string | null;
  readonly changed_at: number;
}

/**
 * Decides about messages in order, until enough can be delivered. Messages whose mailbox is locked by another claim are
 * skipped.
 */
function choose(
  due: readonly DueMessage[],
  mailboxes: ReadonlyMap<string, MailboxUse>,
  { mailsPerHour, hourAttempts }: Pick<ClaimUsage, 'mailsPerHour' | 'hourAttempts'>,
  most: number,
  now: number,
) {
  const dropped: DueMessage[] = [];
  const full: Postponed[] = [];
  const next: DueMessage[] = [];
  for (const candidate of due) {
    if (next.length === most) break;
    const { id, person, message } = candidate;
    if (isUndeliverable(candidate)) {
      dropped.push(candidate);
      continue;
    }
    // Notices to admins are not limited.
    const use = person === null ? { attempts: [], planned: [] } : mailboxes.get(person.mailbox);
    if (use === undefined) continue;
    const attemptTimes = use.attempts
      .filter(({ messageKey }) => messageKey !== message.message_key)
      .map(({ time }) => time);
    const usage = {
      mailsPerHour,
      hourAttempts: hourAttempts + next.length,
      attemptTimes,
      plannedTimes: () => use.planned,
    };
    const decision = decideClaim(candidate, usage, now);
    if (decision === 'quota-spent') return { dropped, full, next, isQuotaSpent: true };
    if (decision === 'deliver') {
      use.attempts.push({ messageKey: message.message_key, time: now });
      next.push(candidate);
      continue;
    }
    const { state, next_attempt_at, reason, changed_at } = decision;
    if (state === 'queued') use.planned.push(next_attempt_at);
    full.push({ id, mailbox: person?.mailbox ?? null, state, next_attempt_at, reason, changed_at });
  }
  return { dropped, full, next, isQuotaSpent: false };
}

function* postpone(messages: readonly Postponed[]): Transaction<void> {
  yield* sql`
    UPDATE @mails AS stored SET state = postponed.state, next_attempt_at = postponed.next_attempt_at, reason = postponed.reason,
      changed_at = postponed.changed_at, mailbox = postponed.mailbox
    FROM (SELECT * FROM jsonb_populate_recordset(NULL::@mails, ${JSON.stringify(messages)}) LIMIT ${messages.length}) AS postponed
    WHERE stored.id = postponed.id
  `;
}
