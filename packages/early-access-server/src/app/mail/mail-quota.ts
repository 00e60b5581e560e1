import { HOUR_MS } from 'early-access-kit/internal';
import type { MessageKind } from './message-kinds.ts';

/**
 * How long an attempt counts for its mailbox. The record outlives the person, so that signing up again does not reset
 * the count.
 */
export const MAILBOX_MS = 24 * HOUR_MS;

/** How long attempts stay stored after they no longer count, so that many are deleted at once. */
export const MAILBOX_SLACK_MS = 600_000;

export const DEFAULT_MAILS_PER_HOUR = 200;

/** Messages to one mailbox in any 24 hours. Not a setting: no visitor needs more, and more would allow flooding. */
export const MAILS_PER_MAILBOX_AND_DAY = 3;

/** Stored with a message that waits because its mailbox is full, and shown to the admin. */
export const MAILBOX_FULL_REASON = `its mailbox got ${MAILS_PER_MAILBOX_AND_DAY} messages within a day`;

/** Messages that were sent already. Times are epoch milliseconds. */
export interface MailUsage {
  /** When other messages to the mailbox were last attempted. The latest `MAILS_PER_MAILBOX_AND_DAY` are enough. */
  readonly attemptTimes: readonly number[];
  readonly hourAttempts: number;
  readonly mailsPerHour: number;
}

/**
 * Decides whether a message may be delivered now. `mailbox-full` waits until `findFreeTime`, `quota-spent` until the
 * next hour. The mailbox is checked first, so that a message to a full mailbox does not use the hourly quota. Every
 * attempt counts toward the hour; toward the mailbox, a message counts once, at its last attempt.
 */
export function decideDelivery(usage: MailUsage, now: number): 'deliver' | 'mailbox-full' | 'quota-spent' {
  if (findFreeTime(usage.attemptTimes, now) > now) return 'mailbox-full';
  return usage.hourAttempts < usage.mailsPerHour ? 'deliver' : 'quota-spent';
}

/**
 * Returns the first time from `now` on at which the mailbox has room for another message. `times` are attempted or
 * planned times of its other messages, in any order. The latest `MAILS_PER_MAILBOX_AND_DAY` of each kind are enough.
 */
export function findFreeTime(times: readonly number[], now: number): number {
  const limiting = times.toSorted((a, b) => b - a)[MAILS_PER_MAILBOX_AND_DAY - 1];
  return limiting === undefined ? now : Math.max(now, limiting + MAILBOX_MS);
}

/** The part of an hour's quota that campaigns leave to other messages. */
const RESERVED_SHARE = 0.2;

/**
 * The number of attempts per hour after which a message of this kind has to wait. Lower for campaigns, so that signups
 * do not wait for them.
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
