import type { PersonState } from '../lifecycle/states.ts';
import type { Credit } from '../share/credit.ts';
import type { Awaitable } from './log.ts';

/**
 * The part of a store for share links. `ListStore.confirm` assigns credit with `decideCredit` in its own transaction;
 * imports assign none. Erasing a person deletes their link, the credit for their own signup, and the credit they
 * received.
 */
export interface ShareStore {
  /**
   * The link of the signup with this normalized address and `submission_id`, which only the browser that signed up
   * knows; see `chooseLink`. Created if it does not exist. Null if the two do not match.
   */
  openLink(email: string, submissionId: string): Promise<OwnLink | null>;
  /** The link of the person with this public id, created if it does not exist. Null if they are not on the list. */
  readShare(id: string): Promise<OwnLink | null>;
  /**
   * The place of the link's owner among subscribed people, starting at 1. Null in any other state. Counted in steps of
   * milliseconds so that other requests are not blocked; it is therefore an estimate if people join or leave meanwhile.
   */
  readPlace(code: string): Promise<number | null>;
  /** Links with held credit come first, then those with most signups. */
  links(limit: number): Awaitable<readonly ShareLink[]>;
  /**
   * Approves or rejects the held credit of a person's link; `held` reverts a rejection. Returns the number of referrals
   * changed.
   */
  decide(id: string, credit: Credit): Promise<number>;
}

/** The part of a link that its owner may see. */
export interface OwnLink {
  readonly code: string;
  /** The page where they signed up, without its query; null if unknown. */
  readonly page: string | null;
  /** The number of their referrals that count. */
  readonly confirmed: number;
  readonly held: number;
}

/** A link and its results. */
export interface ShareLink {
  /** The person's public id. */
  readonly id: string;
  readonly email: string;
  readonly signups: number;
  /** Confirmed signups, with or without credit. */
  readonly confirmed: number;
  readonly counted: number;
  readonly held: number;
  readonly rejected: number;
}

/** A person at the other end of a referral. */
export interface SharePerson {
  readonly id: string;
  readonly email: string;
  readonly state: PersonState;
}

/** Who referred a person, and whom they referred. */
export interface PersonReferrals {
  readonly brought_by: SharePerson | null;
  /** The credit that this person's signup gives to their referrer, or null. */
  readonly credit: Credit | null;
  /** Newest first, at most `MAX_BROUGHT`. */
  readonly brought: readonly (SharePerson & { readonly credit: Credit | null })[];
}

export const MAX_BROUGHT = 50;
