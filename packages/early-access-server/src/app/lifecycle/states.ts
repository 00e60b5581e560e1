import { DAY_MS, type SignupResult } from 'early-access-kit/internal';

/**
 * The life of a person on the list. `pending`: the address is not confirmed yet. `subscribed`: waits for an invitation.
 * `invited`: has a link to the product. `joined`: has used it. `unsubscribed`: wants no more emails; comes back only by
 * confirming a new signup. `bounced`: the mail server knows no such mailbox. A person who is erased has no state.
 */
export const PERSON_STATES = ['pending', 'subscribed', 'invited', 'joined', 'unsubscribed', 'bounced'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/** The states of people whom a count of the list means: they want email, and have confirmed it if they have to. */
export const ON_LIST = ['subscribed', 'invited', 'joined'] as const satisfies readonly PersonState[];

/**
 * A signup that is not confirmed gets one reminder after this long. After `PENDING_MS` it is erased; a person who had
 * unsubscribed before is unsubscribed again instead, because a list that forgot them could sign them up without their
 * consent.
 */
export const REMINDER_AFTER_MS = 3 * DAY_MS;
export const PENDING_MS = 30 * DAY_MS;

/**
 * The events of a person. `withdraw`: an invitation that was not sent is taken back. `bounce`: the mail server refused
 * the address for good. `retry`: the admin sends to a bounced address again.
 */
export const PERSON_EVENTS = ['confirm', 'invite', 'withdraw', 'redeem', 'unsubscribe', 'bounce', 'retry'] as const;
export type PersonEvent = (typeof PERSON_EVENTS)[number];

/** When a person's states began. */
export const STATE_TIMES = ['confirmed_at', 'unsubscribed_at', 'bounced_at', 'invited_at', 'joined_at'] as const;
export type StateTime = (typeof STATE_TIMES)[number];

/** The emails whose link confirms an address. `correction`: to an address that was entered instead of theirs. */
export const CONFIRMATIONS = ['confirmation', 'reminder', 'correction'] as const;
type Confirmation = (typeof CONFIRMATIONS)[number];

/**
 * The part of a person that is stored once it happens, so that exports carry it. Null: it never happened, or the time
 * is not known.
 */
export interface PersonHistory extends Readonly<Record<StateTime, number | null>> {
  /** The state in which the address bounced. */
  readonly bounced_from: PersonState | null;
  /** The email in which they opened the link that confirmed their address. */
  readonly confirmed_by: Confirmation | null;
  /** The words they agreed to, and the address of the page that showed them, as an imported file says it. */
  readonly consent_text: string | null;
  readonly consent_page: string | null;
}

const TIME_OF: Readonly<Record<PersonEvent, StateTime>> = {
  confirm: 'confirmed_at',
  invite: 'invited_at',
  withdraw: 'invited_at',
  redeem: 'joined_at',
  unsubscribe: 'unsubscribed_at',
  bounce: 'bounced_at',
  retry: 'bounced_at',
};

/** The time that the event sets. Null: it removes it. */
export function timeAfter(
  event: PersonEvent,
  now: number,
): { readonly column: StateTime; readonly time: number | null } {
  return { column: TIME_OF[event], time: event === 'withdraw' || event === 'retry' ? null : now };
}

/** The one table of what may follow what. An event that is missing changes nothing. */
const TRANSITIONS: Readonly<Record<PersonState, Partial<Record<PersonEvent, PersonState | 'before'>>>> = {
  pending: { confirm: 'subscribed', unsubscribe: 'unsubscribed', bounce: 'bounced' },
  subscribed: { invite: 'invited', unsubscribe: 'unsubscribed', bounce: 'bounced' },
  invited: { withdraw: 'subscribed', redeem: 'joined', unsubscribe: 'unsubscribed', bounce: 'bounced' },
  joined: { unsubscribe: 'unsubscribed', bounce: 'bounced' },
  unsubscribed: {},
  bounced: { unsubscribe: 'unsubscribed', retry: 'before' },
};

/**
 * The state after the event; null if the event is not possible now, and nothing may change. `before` is the state in
 * which the address bounced, which a `retry` returns to.
 */
export function nextState(
  state: PersonState,
  event: PersonEvent,
  before: PersonState | null = null,
): PersonState | null {
  const next = TRANSITIONS[state][event];
  return next === 'before' ? (before ?? 'subscribed') : (next ?? null);
}

export interface ListedPerson extends Pick<PersonHistory, 'confirmed_at' | 'unsubscribed_at'> {
  /** The public id. */
  readonly id: string;
  readonly state: PersonState;
}

/** Whether an imported person unsubscribes the one on the list, who has not confirmed since. */
export function mayOptOut(
  { confirmed_at, state: listed }: Pick<ListedPerson, 'state' | 'confirmed_at'>,
  { state, unsubscribed_at = null }: Partial<PersonHistory> & { readonly state: PersonState },
): boolean {
  return (
    state === 'unsubscribed' &&
    nextState(listed, 'unsubscribe') !== null &&
    !hasConfirmedSince(confirmed_at, unsubscribed_at)
  );
}

/** False if one of the times is not known. */
export function hasConfirmedSince(confirmed_at: number | null, unsubscribed_at: number | null): boolean {
  return confirmed_at !== null && unsubscribed_at !== null && unsubscribed_at < confirmed_at;
}

export function firstState(needsConfirmation: boolean): PersonState {
  return needsConfirmation ? 'pending' : 'subscribed';
}

/**
 * The result of a signup that is stored in this state. `confirm`: whether every signup has to be confirmed. Otherwise
 * `pending` would reveal an opt-out.
 */
export function signupResult(state: PersonState, confirm: boolean): SignupResult {
  return confirm && state === 'pending' ? 'pending' : 'created';
}

/**
 * Whether a signup has to be confirmed. Anyone can sign up an address, so with every setting an opt-out of its mailbox
 * holds until its owner confirms.
 */
export function needsConfirmation(confirm: boolean, isOptedOut: boolean): boolean {
  return confirm || isOptedOut;
}

export interface FirstSteps {
  /** Whether signups have to be confirmed. */
  readonly confirm: boolean;
  /** Whether a signup that need not be confirmed gets the welcome email. */
  readonly welcomeEmail: boolean;
}

export function firstStep({ confirm, welcomeEmail }: FirstSteps): {
  readonly state: PersonState;
  readonly message: 'confirmation' | 'welcome' | null;
} {
  return { state: firstState(confirm), message: confirm ? 'confirmation' : welcomeEmail ? 'welcome' : null };
}

/** Whether the person may sign up again. What is entered then waits until it is confirmed (`EnteredSignup`). */
export function maySignUpAgain(state: PersonState): boolean {
  return state === 'unsubscribed';
}
