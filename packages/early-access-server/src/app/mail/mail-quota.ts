import { HOUR_MS } from 'early-access-kit/core';
import { sha256 } from '../access/secrets.ts';
import type { MessageKind } from './message-kinds.ts';

/** How long an attempt counts for its mailbox. Its record outlives the person's, so that signing up again does not reset the count. */
export const MAILBOX_MS = 24 * HOUR_MS;

/** How long attempts may stay stored after they no longer count, so that many are deleted at once instead of one for each message. */
export const MAILBOX_SLACK_MS = 600_000;

/** Delivery attempts per hour unless the admin sets another number. */
export const DEFAULT_MAILS_PER_HOUR = 200;

/** Messages to one mailbox in any 24 hours. Not a setting: no visitor needs more, and flooding a mailbox starts above it. */
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
 * Whether a message may be delivered now. The mailbox comes first, so that a message to a full mailbox uses up nothing of the hour.
 * `mailbox-full` waits until `findFreeTime`, `quota-spent` until the next hour. Every attempt of a message counts for the hour;
 * for the mailbox a message counts once, by its last attempt.
 */
export function decideDelivery(usage: MailUsage, now: number): 'deliver' | 'mailbox-full' | 'quota-spent' {
  if (findFreeTime(usage.attemptTimes, now) > now) return 'mailbox-full';
  return usage.hourAttempts < usage.mailsPerHour ? 'deliver' : 'quota-spent';
}

/**
 * The first time from `now` on at which a mailbox has room for one more message. `times` are the times of its other messages, attempted or
 * planned, in any order; the latest `MAILS_PER_MAILBOX_AND_DAY` of each kind suffice.
 */
export function findFreeTime(times: readonly number[], now: number): number {
  const limiting = times.toSorted((a, b) => b - a)[MAILS_PER_MAILBOX_AND_DAY - 1];
  return limiting === undefined ? now : Math.max(now, limiting + MAILBOX_MS);
}

/** Campaigns leave this part of an hour's quota to other messages. */
const RESERVED_SHARE = 0.2;

/** How many of an hour's attempts a message of this kind may see used up: signups do not have to wait for a campaign. */
export function computeQuota(kind: MessageKind, mailsPerHour: number): number {
  return kind === 'campaign' ? mailsPerHour - Math.ceil(mailsPerHour * RESERVED_SHARE) : mailsPerHour;
}

/** The start of the hour that the quota counts `now` in. */
export function quotaHour(now: number): number {
  return now - (now % HOUR_MS);
}

/** When the next hour's quota starts. */
export function nextQuotaHour(now: number): number {
  return quotaHour(now) + HOUR_MS;
}

const GMAIL_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox that a normalised address delivers to: the address without its sub-address (`ada+news@` is `ada@`). Gmail ignores dots
 * and has two domains for one mailbox. For comparing only: never send to it.
 */
export function normalizeMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  // A local part that starts with a plus sign has no mailbox name before it.
  const name = /^.[^+]*/.exec(local)?.[0] ?? '';
  return GMAIL_DOMAINS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** SHA-256 of the mailbox of a normalised address, in hexadecimal. Stores count messages by this, so that it repeats no address. */
export function mailboxKey(email: string): string {
  return sha256(normalizeMailbox(email));
}

const DOMAIN_KEY_LENGTH = 4;

/** The beginning of the SHA-256 of an address's domain: tells two domains apart, and is too short to tell which domain it is. */
export function domainKey(email: string): string {
  return sha256(email.slice(email.lastIndexOf('@') + 1)).slice(0, DOMAIN_KEY_LENGTH);
}
