import type { EmailSignup } from 'early-access-kit/core';
import type { PersonState } from '../lifecycle/states.ts';
import { readField } from '../text/read-field.ts';

export const LIST_MODES = ['open', 'paused', 'closed'] as const;
export type ListMode = (typeof LIST_MODES)[number];

/** Why the list does not accept signups. `full`: every place is taken. */
export const CLOSED_REASONS = ['paused', 'closed', 'full'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** Counting more people for each signup would take too long. */
export const MAX_PLACES = 100_000;
export const MAX_CLOSED_MESSAGE = 500;
export const MAX_CLOSED_LINK = 2_000;
export const MAX_CLOSED_LINK_TEXT = 80;

/** Shown to visitors while the list does not accept signups. */
export interface ClosedNotice {
  /** Replaces the page's own text. Null: the page's text is shown. */
  readonly message: string | null;
  /** An http or https URL of a page to visit instead, or null. */
  readonly link_url: string | null;
  /** The link's text. Null: its host. */
  readonly link_text: string | null;
  /** Stores addresses entered meanwhile, and signs them up when the list opens. */
  readonly takes_requests: boolean;
}

/** Whether the list accepts signups, as configured by the admin. */
export interface ListStatus extends ClosedNotice {
  readonly mode: ListMode;
  /** When the list closes automatically, in epoch milliseconds, or null. */
  readonly closes_at: number | null;
  /** The number of people (1 to `MAX_PLACES`) at which the list is full, or null for no limit. */
  readonly max_people: number | null;
}

/** The default status. */
export const OPEN_LIST: ListStatus = {
  mode: 'open',
  closes_at: null,
  max_people: null,
  message: null,
  link_url: null,
  link_text: null,
  takes_requests: false,
};

/**
 * The result of a signup that is not accepted now, for an address that is not on the list. Nothing is stored except an
 * `OpeningRequest`, if the list takes them.
 */
export interface ListClosed extends ClosedNotice {
  readonly closed: ClosedReason;
}

/** The states that occupy a place. People who unsubscribe or bounce free theirs. */
export const PLACE_STATES: readonly PersonState[] = ['pending', 'subscribed', 'invited', 'joined'];

/** Returns whether `findClosed` needs the number of occupied places. Counting up to `max_people` is enough. */
export function needsPeople(status: ListStatus, now: number): status is ListStatus & { readonly max_people: number } {
  return status.max_people !== null && findClosed(status, 0, now) === null;
}

/**
 * Returns why a new person may not sign up now, or null if they may. Does not affect people on the list, confirmations,
 * or people added by an admin or import. `people`: the number of occupied places.
 */
export function findClosed(status: ListStatus, people: number, now: number): ListClosed | null {
  const closed = findReason(status, people, now);
  if (closed === null) return null;
  const { message, link_url, link_text, takes_requests } = status;
  return { closed, message, link_url, link_text, takes_requests };
}

function findReason({ mode, closes_at, max_people }: ListStatus, people: number, now: number): ClosedReason | null {
  if (mode !== 'open') return mode;
  if (closes_at !== null && closes_at <= now) return 'closed';
  return max_people !== null && people >= max_people ? 'full' : null;
}

/** The status after a change. Reopening a list removes a closing time that has passed. */
export function changeListStatus(status: ListStatus, change: Partial<ListStatus>, now: number): ListStatus {
  const changed = { ...status, ...change };
  const isOver = changed.closes_at !== null && changed.closes_at <= now;
  return change.mode === 'open' && isOver ? { ...changed, closes_at: null } : changed;
}

export function isListClosed<T>(outcome: T | ListClosed): outcome is ListClosed {
  return typeof outcome === 'object' && outcome !== null && 'closed' in outcome;
}

/**
 * A signup submitted while the list did not accept any. The person is not on the list and gets no email until it opens.
 * Then they are signed up and always have to confirm, because they asked to be notified.
 */
export interface OpeningRequest {
  readonly signup: EmailSignup;
  readonly language: string | null;
  /** See `shareNetwork`. */
  readonly network: string | null;
}

/** Parses a stored status. An open list if nothing is stored. Throws if the JSON is invalid. */
export function readListStatus(json: string | null): ListStatus {
  if (json === null) return OPEN_LIST;
  const data: unknown = JSON.parse(json);
  const mode = LIST_MODES.find((known) => known === readField(data, 'mode'));
  if (mode === undefined) throw new TypeError('the stored status of the list is invalid');
  const number = (name: string) => orNull(readField(data, name), (value) => typeof value === 'number');
  const text = (name: string) => orNull(readField(data, name), (value) => typeof value === 'string');
  return {
    mode,
    closes_at: number('closes_at'),
    max_people: number('max_people'),
    message: text('message'),
    link_url: text('link_url'),
    link_text: text('link_text'),
    takes_requests: readField(data, 'takes_requests') === true,
  };
}

function orNull<T>(value: unknown, isOne: (value: unknown) => value is T): T | null {
  if (value === null || isOne(value)) return value;
  throw new TypeError('the stored status of the list is invalid');
}
