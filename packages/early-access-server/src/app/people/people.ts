import type { Attribution, SignupFields } from 'early-access-kit/internal';
import type { StoredSession } from '../analytics/country.ts';
import type { PersonHistory, PersonState } from '../lifecycle/states.ts';
import type { MessageKind } from '../mail/message-kinds.ts';
import type { MailState } from '../mail/message-state.ts';
import type { PersonReferrals } from '../ports/share-store.ts';
import type { SegmentAt } from './segment.ts';
import type { TimelineEntry } from './timeline.ts';

export const PEOPLE_SORTS = ['newest', 'oldest', 'email'] as const;
export type PeopleSort = (typeof PEOPLE_SORTS)[number];

/** Longer searches are rejected: an address has at most 254 characters. */
export const MAX_SEARCH_LENGTH = 254;
/** The most people per page and per action. */
export const MAX_PAGE = 200;
export const MAX_BULK = 500;

export interface PeopleFilter {
  /** Part of the address or of a field value (`matchesSearch`), in lower case. Empty: all. */
  readonly search: string;
  /** Null: any state, including unsubscribed. */
  readonly state: PersonState | null;
  /** State of the last email, not counting campaigns; `none` for people without one. Null: any. */
  readonly mail: MailState | 'none' | null;
  /** The form's `source`. Null: any. */
  readonly source: string | null;
  /** The id of the import that added them. Null: any. */
  readonly import: string | null;
  /** Signup time: from (included) and before (excluded), in epoch milliseconds. */
  readonly from: number | null;
  readonly to: number | null;
  /** Undefined: everyone. */
  readonly segment?: SegmentAt | undefined;
}

export const EVERYONE: PeopleFilter = {
  search: '',
  state: null,
  mail: null,
  source: null,
  import: null,
  from: null,
  to: null,
};

/** How many people match. `is_partial`: the store has only examined some of the people, so there may be more. */
export interface PeopleCount {
  readonly count: number;
  readonly is_partial: boolean;
}

export interface PeopleQuery extends PeopleFilter {
  readonly sort: PeopleSort;
  readonly limit: number;
  /** `next` of the previous page. Null: the first page. */
  readonly after: string | null;
}

export interface PersonMail {
  readonly kind: MessageKind;
  readonly state: MailState;
  readonly attempts: number;
  readonly reason: string | null;
  readonly next_attempt_at: number;
  readonly changed_at: number;
}

export interface Person extends Attribution, PersonHistory {
  /** Created by `newPersonId`. Never reused, even after the person was erased. */
  readonly id: string;
  readonly email: string;
  /** The session in which they signed up. It may no longer be stored. */
  readonly session_id: string | null;
  readonly source: string;
  readonly referrer: string | null;
  readonly created_at: number;
  readonly state: PersonState;
  /** Counted referrals. */
  readonly referrals: number;
  /** The values of the host's fields, including fields no longer declared. Left out if there are none. */
  readonly fields?: SignupFields;
  /** Labels set by admins, sorted. Left out if there are none. */
  readonly labels?: readonly string[];
  /** The last email other than campaigns and corrections; null if none was queued. */
  readonly mail: PersonMail | null;
  /** The kind of email that "Send again" sends (`chooseResend`), or null. */
  readonly resends: MessageKind | null;
}

/** A person as in exports. */
export interface ExportedPerson extends Person {
  /** The primary language subtag at signup, or null if unknown. */
  readonly language: string | null;
  /** The id of the import that added them, or null. */
  readonly import_id: string | null;
}

export interface PeoplePage {
  readonly people: readonly Person[];
  /** Cursor for the next page; null at the end. Opaque: a modified one is rejected with `invalid`. */
  readonly next: string | null;
}

export interface PersonRecord extends ExportedPerson {
  /** The session in which they signed up; null if it is unknown or no longer stored. */
  readonly session: StoredSession | null;
  /** The paths viewed after the session's first page, in order. Empty if the store does not record page views. */
  readonly page_views: readonly string[];
  /** The address entered to replace theirs, until its owner confirms it, or null. */
  readonly new_email: string | null;
  readonly share: PersonReferrals;
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[];
}

export const MAX_SOURCES = 100;
