import { randomBytes } from 'node:crypto';
import { DAY_MS, type EmailSignup, HOUR_MS } from 'early-access-kit/internal';
import { wideNetwork } from '../access/client-networks.ts';
import { shortDigest } from '../access/secrets.ts';
import type { Credit } from './credit.ts';

/**
 * The `utm_source` of share links. The code is their `utm_content`, so that a page needs no script to store it with a
 * signup.
 */
export const SHARE_SOURCE = 'share';

/** 60 random bits: a code reveals nothing about the person. */
export function newShareCode(): string {
  return randomBytes(8).toString('base64url').slice(0, 10);
}

/**
 * A digest of the network that a signup through a share link comes from; null for any other, and if the address is not
 * known.
 */
export function shareNetwork({ utm_source }: EmailSignup, clientAddress: string | undefined): string | null {
  return utm_source === SHARE_SOURCE && clientAddress !== undefined ? shortDigest(wideNetwork(clientAddress)) : null;
}

/** The address that a person shares: the page that they signed up on. */
export function shareUrl(page: string, code: string): string {
  const url = new URL(page);
  url.searchParams.set('utm_source', SHARE_SOURCE);
  url.searchParams.set('utm_content', code);
  return url.href;
}

/**
 * A link that brings more confirmed signups than this within an hour is no longer shared among friends, so an admin
 * decides about its credit. Signups that are not confirmed do not count: anyone could have the credit of another
 * person's friends held.
 */
export const MAX_SHARED_PER_HOUR = 50;

/** The same for signups with addresses of one domain, which may all be one person's. */
export const MAX_SHARED_PER_DOMAIN = 10;

/** The same for signups from one network, see `shareNetwork`. */
export const MAX_SHARED_PER_NETWORK = 10;

/** The signups this long before and after a friend's count for `MAX_SHARED_PER_HOUR`. */
export const SHARED_WINDOW_MS = HOUR_MS;

/** Each person who counts moves the one who brought them this far ahead. */
export const PLACE_STEP_MS = DAY_MS;

/** A friend who has just confirmed, and the person whose link brought them. */
export interface Referral {
  /** Mailboxes as `mailboxKey` makes them. */
  readonly friend: string;
  readonly referrer: string;
  /** Whether an import or an admin added the friend, or the friend had been on the list before. */
  readonly isKnown: boolean;
  /** Whether anyone has had credit for the friend or their mailbox. */
  readonly isRepeated: boolean;
  /** Confirmed signups through the link within `SHARED_WINDOW_MS` of the friend's, which is one of them. */
  readonly signups: number;
  /** How many of them have the domain of the friend's address. */
  readonly ofDomain: number;
  /** How many of them came from the friend's network; 0 if it is not known. */
  readonly ofNetwork: number;
}

/**
 * The credit that a friend brings once they have confirmed; null: none. There are no loops: a person who has brought
 * someone was on the list before.
 */
export function decideCredit(referral: Referral): Extract<Credit, 'counted' | 'held'> | null {
  const { friend, referrer, isKnown, isRepeated, signups, ofDomain, ofNetwork } = referral;
  if (friend === referrer || isKnown || isRepeated) return null;
  const isHeld =
    signups > MAX_SHARED_PER_HOUR || ofDomain > MAX_SHARED_PER_DOMAIN || ofNetwork > MAX_SHARED_PER_NETWORK;
  return isHeld ? 'held' : 'counted';
}
