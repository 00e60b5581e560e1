import { decideDelivery, mailboxFreeAt, quotaOf } from '../../../app/mail/mail-quota.ts';
import { beginAttempt, postponed } from '../../../app/mail/message.ts';
import { mayReceive } from '../../../app/mail/message-kinds.ts';
import { toClaimedMessage } from '../../sql/message-row.ts';
import { text } from '../../sql/row.ts';
import { createTokens } from '../../sql/tokens.ts';
import type { Claim } from '../../store.ts';
import type { Transaction } from '../connection.ts';
import { runTransaction } from '../run-transaction.ts';
import { type DueMessage, lockDueMessages, nextDueAt } from './due-messages.ts';
import { lockMailboxes, type MailboxUse, recordAttempt } from './mailboxes.ts';
import { type MessageChange, removeMessages, updateMessages } from './messages.ts';
import { countAttempt } from './quota.ts';

/** How many messages a claim looks at first, and then if it could not deliver that one. It may postpone or delete them all. */
const STEPS = [1, 50] as const;

export interface ClaimLimits {
  readonly mailsPerHour: number;
  readonly leaseMs: number;
}

/**
 * Claims the message that has been due longest, campaigns last. Postpones those before it whose mailbox is full, in order, and deletes
 * those to people who may not receive them any more. It waits for other claims only to count the attempt, and never for a writer, unless it
 * deletes a message of a campaign.
 */
export async function claimMessage(tx: Transaction, limits: ClaimLimits, now: number): Promise<Claim> {
  let passedOver = 0;
  for (const step of STEPS) {
    const { due, hourAttempts } = await lockDueMessages(tx, now, step);
    if (due.length === 0) continue;
    const mailboxes = await lockMailboxes(
      tx,
      due.flatMap(({ person }) => person?.mailbox ?? []),
      now,
    );
    const { dropped, full, next } = choose(due, mailboxes, { ...limits, hourAttempts }, now);
    await removeMessages(tx, dropped);
    await updateMessages(tx, full);
    passedOver += dropped.length + full.length;
    if (next === 'quota-spent') return next;
    if (next !== null) return begin(tx, next, limits, now);
  }
  if (passedOver > 0) return 'mailbox-full';
  // What is due was locked by others, or there is nothing.
  return ((await nextDueAt(tx)) ?? Number.POSITIVE_INFINITY) <= now ? 'taken' : 'nothing';
}

/** Decides about messages in their order, up to the first that can be delivered. Those whose mailbox another claim has locked stay as they are. */
function choose(
  due: readonly DueMessage[],
  mailboxes: ReadonlyMap<string, MailboxUse>,
  { mailsPerHour, hourAttempts }: Pick<ClaimLimits, 'mailsPerHour'> & { readonly hourAttempts: number },
  now: number,
) {
  const dropped: number[] = [];
  const full: MessageChange[] = [];
  let next: DueMessage | 'quota-spent' | null = null;
  for (const candidate of due) {
    const { id, person, kind, message } = candidate;
    if (person !== null && !mayReceive(person.state, kind)) {
      dropped.push(id);
      continue;
    }
    // An admin may get any number of notices.
    const use = person === null ? { attempts: [], planned: [] } : mailboxes.get(person.mailbox);
    if (use === undefined) continue;
    const attemptTimes = use.attempts
      .filter(({ messageKey }) => messageKey !== message.message_key)
      .map(({ time }) => time);
    const usage = { attemptTimes, hourAttempts, mailsPerHour: quotaOf(kind, mailsPerHour) };
    const decision = decideDelivery(usage, now);
    if (decision !== 'mailbox-full') {
      next = decision === 'deliver' ? candidate : decision;
      break;
    }
    const until = mailboxFreeAt([...attemptTimes, ...use.planned], now);
    use.planned.push(until);
    full.push({ id, message: postponed(message, until, now), mailbox: person?.mailbox ?? null });
  }
  return { dropped, full, next };
}

async function begin(
  tx: Transaction,
  { id, person, kind, message, row }: DueMessage,
  { mailsPerHour, leaseMs }: ClaimLimits,
  now: number,
): Promise<Claim> {
  const begun = beginAttempt(message, now, leaseMs);
  const tokens = await runTransaction(tx, createTokens(person?.id ?? null, kind, now));
  await updateMessages(tx, [{ id, message: begun, mailbox: person?.mailbox ?? null }]);
  if (person !== null) await recordAttempt(tx, { messageKey: begun.message_key, mailbox: person.mailbox }, now);
  await countAttempt(tx, quotaOf(kind, mailsPerHour), now);
  const campaign = row.subject === null ? null : { subject: text(row, 'subject'), body: text(row, 'body') };
  return toClaimedMessage(row, begun, { campaign, tokens });
}
