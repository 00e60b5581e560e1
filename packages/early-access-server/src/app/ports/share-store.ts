import type { PersonState } from '../lifecycle/states.ts';
import type { Credit } from '../share/credit.ts';
import type { Awaitable } from './log.ts';

/**
 * The part of a store that keeps share links. `ListStore.confirm` gives the credit, by `decideCredit`, in its own
 * transaction; imports bring none. Erasing a person removes their link, the credit that they brought, and the credit
 * that others brought them.
 */
export interface ShareStore {
  /**
   * The link of the signup with this normalized address and `submission_id`, which only the browser that signed up
   * knows, as `chooseLink` decides. Makes one if there is none. Null for every other pair.
   */
  openLink(email: string, submissionId: string): Promise<OwnLink | null>;
  /** The link of a person by their public id, made if there is none. Null if they are not on the list. */
  readShare(id: string): Promise<OwnLink | null>;
  /**
   * The place of the link's owner among the people who are subscribed, from 1; null in any other state. Counts in steps
   * of milliseconds, so that others are served meanwhile. It is therefore a moment's estimate while people join or
   * leave.
   */
  readPlace(code: string): Promise<number | null>;
  /** The links with the most signups first. */
  links(limit: number): Awaitable<readonly ShareLink[]>;
  /**
   * Counts or rejects the credit of a person's link that is held; `held` takes a rejection back. Returns how many
   * people it concerned.
   */
  decide(id: string, credit: Credit): Promise<number>;
}

/** The part of a link that its owner may see. */
export interface OwnLink {
  readonly code: string;
  /** The page that they signed up on, without query; null if it is not known. */
  readonly page: string | null;
  /** How many of the people whom they brought count. */
  readonly confirmed: number;
  readonly held: number;
}

/** A link with what it has brought. */
export interface ShareLink {
  /** The person's public id. */
  readonly id: string;
  readonly email: string;
  readonly signups: number;
  /** Signups that were confirmed, whether or not they bring credit. */
  readonly confirmed: number;
  readonly counted: number;
  readonly held: number;
  readonly rejected: number;
}

/** A person at the other end of a link. */
export interface SharePerson {
  readonly id: string;
  readonly email: string;
  readonly state: PersonState;
}

/** Who brought a person, and whom they brought. */
export interface PersonReferrals {
  readonly brought_by: SharePerson | null;
  /** The credit of the person's own signup, for the one who brought them; null: none. */
  readonly credit: Credit | null;
  /** The newest first, at most `MAX_BROUGHT`. */
  readonly brought: readonly (SharePerson & { readonly credit: Credit | null })[];
}

export const MAX_BROUGHT = 50;
