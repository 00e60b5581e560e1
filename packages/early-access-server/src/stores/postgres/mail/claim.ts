import type { Claim } from '../../../app/ports/store.ts';
import {
  beginDelivery,
  type ClaimLimits,
  type ClaimUsage,
  type DueMessage,
  decideClaim,
  dropMessages,
  isUndeliverable,
  toDueMessage,
} from '../../sql/claim.ts';
import { NEXT_DUE } from '../../sql/mail-queue.ts';
import { integerOrNull } from '../../sql/row.ts';
import { sql, type Transaction } from '../../sql/statement.ts';
import { Conflict } from '../failures.ts';
import { selectDue } from './due-messages.ts';
import { lockMailboxes, type MailboxUse } from './mailboxes.ts';

/** How many messages a claim looks at first, and then if it could not deliver that one. It may postpone or delete them all. */
const STEPS = [1, 50] as const;

/**
 * Claims the message that has been due longest, campaigns last. Postpones those before it whose mailbox is full, in order, and deletes
 * those to people who may not receive them. It waits for other claims only to count the attempt, and never for a writer, unless it
 * deletes a message of a campaign.
 */
export function* claimMessage(limits: ClaimLimits, now: number): Transaction<Claim> {
  let passedOver = 0;
  for (const step of STEPS) {
    const rows = yield* selectDue(now, step);
    const due = rows.map(toDueMessage);
    if (due.length === 0) continue;
    const hourAttempts = integerOrNull(rows[0], 'hour_attempts') ?? 0;
    const mailboxes = yield* lockMailboxes(
      due.flatMap(({ person }) => person?.mailbox ?? []),
      now,
    );
    const { dropped, full, next } = choose(due, mailboxes, { ...limits, hourAttempts }, now);
    yield* dropMessages(dropped, now);
    if (full.length > 0) yield* postpone(full);
    passedOver += dropped.length + full.length;
    if (next === 'quota-spent') return next;
    if (next !== null) {
      const message = yield* beginDelivery(next, limits, now);
      if (message === null) throw new Conflict();
      return message;
    }
  }
  if (passedOver > 0) return 'mailbox-full';
  // Others have locked the messages that are due, or there are none.
  const [first] = yield* NEXT_DUE;
  return (integerOrNull(first, 'due') ?? Number.POSITIVE_INFINITY) <= now ? 'taken' : 'nothing';
}

/** A message that waits for its mailbox. */
interface Postponed {
  readonly id: number;
  readonly mailbox: string | null;
  readonly next_attempt_at: number;
  readonly reason: string | null;
  readonly changed_at: number;
}

/** Decides about messages in their order, up to the first that can be delivered. Those whose mailbox another claim has locked stay as they are. */
function choose(
  due: readonly DueMessage[],
  mailboxes: ReadonlyMap<string, MailboxUse>,
  limits: Pick<ClaimUsage, 'mailsPerHour' | 'hourAttempts'>,
  now: number,
) {
  const dropped: DueMessage[] = [];
  const full: Postponed[] = [];
  let next: DueMessage | 'quota-spent' | null = null;
  for (const candidate of due) {
    const { id, person, message } = candidate;
    if (isUndeliverable(candidate)) {
      dropped.push(candidate);
      continue;
    }
    // An admin may get any number of notices.
    const use = person === null ? { attempts: [], planned: [] } : mailboxes.get(person.mailbox);
    if (use === undefined) continue;
    const attemptTimes = use.attempts
      .filter(({ messageKey }) => messageKey !== message.message_key)
      .map(({ time }) => time);
    const decision = decideClaim(candidate, { ...limits, attemptTimes, plannedTimes: () => use.planned }, now);
    if (typeof decision === 'string') {
      next = decision === 'deliver' ? candidate : decision;
      break;
    }
    const { next_attempt_at, reason, changed_at } = decision;
    use.planned.push(next_attempt_at);
    full.push({ id, mailbox: person?.mailbox ?? null, next_attempt_at, reason, changed_at });
  }
  return { dropped, full, next };
}

function* postpone(messages: readonly Postponed[]): Transaction<void> {
  yield* sql`
    UPDATE @mails AS stored SET next_attempt_at = postponed.next_attempt_at, reason = postponed.reason,
      changed_at = postponed.changed_at, mailbox = postponed.mailbox
    FROM jsonb_populate_recordset(NULL::@mails, ${JSON.stringify(messages)}) AS postponed WHERE stored.id = postponed.id
  `;
}
