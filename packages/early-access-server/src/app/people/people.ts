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

/** Longer searches are refused: an address has at most 254 characters. */
export const MAX_SEARCH_LENGTH = 254;
/** People per page, and people that one action may concern. */
export const MAX_PAGE = 200;
export const MAX_BULK = 500;

export interface PeopleFilter {
  /** Part of the address or of a value of a field (`matchesSearch`), in lower case. Empty: all. */
  readonly search: string;
  /** Null: any, also of people who have unsubscribed. */
  readonly state: PersonState | null;
  /** State of the last email apart from campaigns; `none` for people without one. Null: any. */
  readonly mail: MailState | 'none' | null;
  /** The form's `source`. Null: any. */
  readonly source: string | null;
  /** The id of the import that has added them. Null: any. */
  readonly import: string | null;
  /** Signed up from this time, in epoch milliseconds, and before that one. */
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

/** How many people match. `is_partial`: the store has looked at some people only, so there may be more. */
export interface PeopleCount {
  readonly count: number;
  readonly is_partial: boolean;
}

export interface PeopleQuery extends PeopleFilter {
  readonly sort: PeopleSort;
  readonly limit: number;
  /** `next` of the page before. Null: the first page. */
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
  /** As `newPersonId` returns it. Never given to another person, not even once this one is erased. */
  readonly id: string;
  readonly email: string;
  /** The session in which they signed up, whether or not it is stored. */
  readonly session_id: string | null;
  readonly source: string;
  readonly referrer: string | null;
  readonly created_at: number;
  readonly state: PersonState;
  /** Their referrals that count. */
  readonly referrals: number;
  /** The values of the host's fields, including fields that are no longer declared; left out if there are none. */
  readonly fields?: SignupFields;
  /** What admins have marked them with, sorted; left out if there are none. */
  readonly labels?: readonly string[];
  /** The last email apart from campaigns and corrections; null if none was queued. */
  readonly mail: PersonMail | null;
  /** The email that they get if an admin sends again (`chooseResend`); null if they get none. */
  readonly resends: MessageKind | null;
}

/** A person as exports describe them. */
export interface ExportedPerson extends Person {
  /** The primary tag of the language in which they signed up. Null: it is not known. */
  readonly language: string | null;
  /** The id of the import that has added them. Null: none has. */
  readonly import_id: string | null;
}

export interface PeoplePage {
  readonly people: readonly Person[];
  /** Names the page that follows; null at the end. Opaque: a changed one is refused with `invalid`. */
  readonly next: string | null;
}

export interface PersonRecord extends ExportedPerson {
  /** The session in which they signed up; null if it is unknown or no longer stored. */
  readonly session: StoredSession | null;
  /** The paths that the session viewed after its first page, in order; none if the store counts no pages. */
  readonly page_views: readonly string[];
  /** The address that was entered instead of theirs, until its owner confirms it. Null: none. */
  readonly new_email: string | null;
  readonly share: PersonReferrals;
  /** The oldest first. */
  readonly timeline: readonly TimelineEntry[];
}

/** Sources that are listed at most. */
export const MAX_SOURCES = 100;
