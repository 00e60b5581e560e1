import type { EmailSignup } from 'early-access-kit/core';
import type { PersonState } from '../lifecycle/states.ts';
import { readField } from '../text/read-field.ts';

export const LIST_MODES = ['open', 'paused', 'closed'] as const;
export type ListMode = (typeof LIST_MODES)[number];

/** Why the list accepts no signup. `full`: every place is taken. */
export const CLOSED_REASONS = ['paused', 'closed', 'full'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** Counting more people with each signup would take longer than a signup may. */
export const MAX_PLACES = 100_000;
export const MAX_CLOSED_MESSAGE = 500;
export const MAX_CLOSED_LINK = 2_000;
export const MAX_CLOSED_LINK_TEXT = 80;

/** What visitors are shown while the list accepts no signup. */
export interface ClosedNotice {
  /** In place of the page's own text. Null: that one. */
  readonly message: string | null;
  /** A page to visit instead, by http or https. Null: none. */
  readonly link_url: string | null;
  /** The words of that link. Null: its host. */
  readonly link_text: string | null;
  /** Whether addresses that are entered meanwhile are kept, and signed up once the list opens. */
  readonly takes_requests: boolean;
}

/** Whether the list accepts signups, as the admin has decided. */
export interface ListStatus extends ClosedNotice {
  readonly mode: ListMode;
  /** The list closes by itself at this time, in epoch milliseconds. Null: never. */
  readonly closes_at: number | null;
  /** The list is full with this many people, of 1 to `MAX_PLACES`. Null: never. */
  readonly max_people: number | null;
}

/** A list whose admin has decided nothing. */
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
 * A signup that the list does not accept now, of an address that is not on it. Nothing is stored but an
 * `OpeningRequest`, if the list takes them.
 */
export interface ListClosed extends ClosedNotice {
  readonly closed: ClosedReason;
}

/** The people who take a place. Someone who unsubscribes or bounces leaves it to another. */
export const PLACE_STATES: readonly PersonState[] = ['pending', 'subscribed', 'invited', 'joined'];

/** Whether `findClosed` needs to know how many people take a place. It need not count beyond `max_people`. */
export function needsPeople(status: ListStatus, now: number): status is ListStatus & { readonly max_people: number } {
  return status.max_people !== null && findClosed(status, 0, now) === null;
}

/**
 * Decides whether a new person may sign up now; null: they may. Everyone who is on the list stays on it, confirms, and
 * may be added to it by an admin or an import, whatever this says. `people`: those who take a place.
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

/** The status after a change. A list that is opened again does not stay closed by a time that has passed. */
export function changeListStatus(status: ListStatus, change: Partial<ListStatus>, now: number): ListStatus {
  const changed = { ...status, ...change };
  const isOver = changed.closes_at !== null && changed.closes_at <= now;
  return change.mode === 'open' && isOver ? { ...changed, closes_at: null } : changed;
}

export function isListClosed<T>(outcome: T | ListClosed): outcome is ListClosed {
  return typeof outcome === 'object' && outcome !== null && 'closed' in outcome;
}

/**
 * A signup that was entered while the list accepted nobody. Its person is not on the list, and gets no email before it
 * opens. Then they are signed up, and have to confirm whatever the list's setting is: they have asked to be told.
 */
export interface OpeningRequest {
  readonly signup: EmailSignup;
  readonly language: string | null;
  /** See `shareNetwork`. */
  readonly network: string | null;
}

/** The status in stored JSON; an open list if nothing is stored. Throws if it is none. */
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
