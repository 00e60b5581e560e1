import { randomBytes } from 'node:crypto';
import { DAY_MS, type EmailSignup, HOUR_MS } from 'early-access-kit/internal';
import { wideNetwork } from '../access/client-networks.ts';
import { shortDigest } from '../access/secrets.ts';
import type { Credit } from './credit.ts';

/**
 * The `utm_source` of share links. The code is their `utm_content`, so that pages store it with the signup without
 * extra code.
 */
export const SHARE_SOURCE = 'share';

/** Returns 60 random bits. The code reveals nothing about the person. */
export function newShareCode(): string {
  return randomBytes(8).toString('base64url').slice(0, 10);
}

/**
 * A digest of the client's network if the signup came through a share link. Null for other signups, and if the address
 * is unknown.
 */
export function shareNetwork({ utm_source }: EmailSignup, clientAddress: string | undefined): string | null {
  return utm_source === SHARE_SOURCE && clientAddress !== undefined ? shortDigest(wideNetwork(clientAddress)) : null;
}

/** The URL that a person shares: the page on which they signed up, with their code. */
export function shareUrl(page: string, code: string): string {
  const url = new URL(page);
  url.searchParams.set('utm_source', SHARE_SOURCE);
  url.searchParams.set('utm_content', code);
  return url.href;
}

/**
 * With more confirmed signups per hour than this, a link is no longer shared only among friends, so an admin decides
 * about its credit. Unconfirmed signups do not count; otherwise anyone could cause another person's credit to be held.
 */
export const MAX_SHARED_PER_HOUR = 50;

/** The limit for signups whose addresses have the same domain, because they may all belong to one person. */
export const MAX_SHARED_PER_DOMAIN = 10;

/** The limit for signups from one network, see `shareNetwork`. */
export const MAX_SHARED_PER_NETWORK = 10;

/** Signups within this time before and after a referral count for `MAX_SHARED_PER_HOUR`. */
export const SHARED_WINDOW_MS = HOUR_MS;

/** How far each counted referral moves the referrer ahead. */
export const PLACE_STEP_MS = DAY_MS;

/** A person who has just confirmed, and the person whose link referred them. */
export interface Referral {
  /** `mailboxKey` of each mailbox. */
  readonly friend: string;
  readonly referrer: string;
  /** True if an import or an admin added the friend, or the friend was on the list before. */
  readonly isKnown: boolean;
  /** True if anyone already received credit for the friend or their mailbox. */
  readonly isRepeated: boolean;
  /** Confirmed signups through the link within `SHARED_WINDOW_MS` of the friend's, including it. */
  readonly signups: number;
  /** How many of them have the same email domain as the friend. */
  readonly ofDomain: number;
  /** How many of them came from the friend's network; 0 if it is unknown. */
  readonly ofNetwork: number;
}

/**
 * The credit for a confirmed referral, or null. Loops are impossible, because a referrer was on the list before the
 * people they refer.
 */
export function decideCredit(referral: Referral): Extract<Credit, 'counted' | 'held'> | null {
  const { friend, referrer, isKnown, isRepeated, signups, ofDomain, ofNetwork } = referral;
  if (friend === referrer || isKnown || isRepeated) return null;
  const isHeld =
    signups > MAX_SHARED_PER_HOUR || ofDomain > MAX_SHARED_PER_DOMAIN || ofNetwork > MAX_SHARED_PER_NETWORK;
  return isHeld ? 'held' : 'counted';
}
