import { HOUR_MS } from 'early-access-kit/internal';
import type { MessageKind } from './message-kinds.ts';

/**
 * How long an attempt counts for its mailbox. Its record outlives the person's, so that signing up again does not reset
 * the count.
 */
export const MAILBOX_MS = 24 * HOUR_MS;

/**
 * How long attempts may stay stored after they no longer count, so that many are deleted at once instead of one for
 * each message.
 */
export const MAILBOX_SLACK_MS = 600_000;

/** Delivery attempts per hour unless the admin sets another number. */
export const DEFAULT_MAILS_PER_HOUR = 200;

/**
 * Messages to one mailbox in any 24 hours. Not a setting: no visitor needs more, and flooding a mailbox starts above
 * it.
 */
export const MAILS_PER_MAILBOX_AND_DAY = 3;

/** Stored with a message that waits for room in its mailbox, and shown to the admin. */
export const MAILBOX_FULL_REASON = `its mailbox has had ${MAILS_PER_MAILBOX_AND_DAY} messages within a day`;

/** The messages that have been sent already. Times are epoch milliseconds. */
export interface MailUsage {
  /** When the other messages to the mailbox were last attempted; the latest `MAILS_PER_MAILBOX_AND_DAY` suffice. */
  readonly attemptTimes: readonly number[];
  /** Delivery attempts of this hour. */
  readonly hourAttempts: number;
  readonly mailsPerHour: number;
}

/**
 * Whether a message may be delivered now. The mailbox comes first, so that a message to a full mailbox uses up nothing
 * of the hour. `mailbox-full` waits until `findFreeTime`, `quota-spent` until the next hour. Every attempt of a message
 * counts for the hour; for the mailbox a message counts once, by its last attempt.
 */
export function decideDelivery(usage: MailUsage, now: number): 'deliver' | 'mailbox-full' | 'quota-spent' {
  if (findFreeTime(usage.attemptTimes, now) > now) return 'mailbox-full';
  return usage.hourAttempts < usage.mailsPerHour ? 'deliver' : 'quota-spent';
}

/**
 * The first time from `now` on at which a mailbox has room for one more message. `times` are the times of its other
 * messages, attempted or planned, in any order; the latest `MAILS_PER_MAILBOX_AND_DAY` of each kind suffice.
 */
export function findFreeTime(times: readonly number[], now: number): number {
  const limiting = times.toSorted((a, b) => b - a)[MAILS_PER_MAILBOX_AND_DAY - 1];
  return limiting === undefined ? now : Math.max(now, limiting + MAILBOX_MS);
}

/** Campaigns leave this part of an hour's quota to other messages. */
const RESERVED_SHARE = 0.2;

/**
 * How many of an hour's attempts a message of this kind may see used up: signups do not have to wait for a campaign.
 */
export function computeQuota(kind: MessageKind, mailsPerHour: number): number {
  return kind === 'campaign' ? mailsPerHour - Math.ceil(mailsPerHour * RESERVED_SHARE) : mailsPerHour;
}

export function quotaHour(now: number): number {
  return now - (now % HOUR_MS);
}

export function nextQuotaHour(now: number): number {
  return quotaHour(now) + HOUR_MS;
}
