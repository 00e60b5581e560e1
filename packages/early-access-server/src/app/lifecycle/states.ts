import { DAY_MS, type SignupResult } from 'early-access-kit/internal';

/**
 * The states of a person on the list. `pending`: the address is not confirmed. `subscribed`: waiting for an invitation.
 * `invited`: has a link to the product. `joined`: has used the link. `unsubscribed`: wants no more emails, and returns
 * only by confirming a new signup. `bounced`: the mailbox does not exist. An erased person has no state.
 */
export const PERSON_STATES = ['pending', 'subscribed', 'invited', 'joined', 'unsubscribed', 'bounced'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/**
 * The states that count as being on the list: these people want email, and have confirmed their address if confirmation
 * is on.
 */
export const ON_LIST = ['subscribed', 'invited', 'joined'] as const satisfies readonly PersonState[];

/**
 * Unconfirmed signups get one reminder after this time. After `PENDING_MS` they are erased. If the person had
 * unsubscribed before, they are unsubscribed again instead: without that record, they could be signed up without their
 * consent.
 */
export const REMINDER_AFTER_MS = 3 * DAY_MS;
export const PENDING_MS = 30 * DAY_MS;

/**
 * The events that change a state. `withdraw`: an unsent invitation is withdrawn. `bounce`: the mail server rejected the
 * address permanently. `retry`: the admin sends to a bounced address again.
 */
export const PERSON_EVENTS = ['confirm', 'invite', 'withdraw', 'redeem', 'unsubscribe', 'bounce', 'retry'] as const;
export type PersonEvent = (typeof PERSON_EVENTS)[number];

/** The columns with the times at which states began. */
export const STATE_TIMES = ['confirmed_at', 'unsubscribed_at', 'bounced_at', 'invited_at', 'joined_at'] as const;
export type StateTime = (typeof STATE_TIMES)[number];

/** The emails whose link confirms an address. `correction` goes to an address entered to replace the person's. */
export const CONFIRMATIONS = ['confirmation', 'reminder', 'correction'] as const;
type Confirmation = (typeof CONFIRMATIONS)[number];

/** A person's history, which is stored so that exports contain it. Null: it never happened, or the time is unknown. */
export interface PersonHistory extends Readonly<Record<StateTime, number | null>> {
  /** The state before the address bounced. */
  readonly bounced_from: PersonState | null;
  /** The kind of email whose link confirmed the address. */
  readonly confirmed_by: Confirmation | null;
  /** The words they agreed to, and the URL of the page that showed them, if an imported file contains them. */
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

/** The new value of the time that the event changes. Null removes it. */
export function timeAfter(
  event: PersonEvent,
  now: number,
): { readonly column: StateTime; readonly time: number | null } {
  return { column: TIME_OF[event], time: event === 'withdraw' || event === 'retry' ? null : now };
}

/** All transitions. An event that is missing changes nothing. */
const TRANSITIONS: Readonly<Record<PersonState, Partial<Record<PersonEvent, PersonState | 'before'>>>> = {
  pending: { confirm: 'subscribed', unsubscribe: 'unsubscribed', bounce: 'bounced' },
  subscribed: { invite: 'invited', unsubscribe: 'unsubscribed', bounce: 'bounced' },
  invited: { withdraw: 'subscribed', redeem: 'joined', unsubscribe: 'unsubscribed', bounce: 'bounced' },
  joined: { unsubscribe: 'unsubscribed', bounce: 'bounced' },
  unsubscribed: {},
  bounced: { unsubscribe: 'unsubscribed', retry: 'before' },
};

/**
 * Returns the state after the event, or null if the event is not possible and nothing may change. `before` is the state
 * before the address bounced, to which `retry` returns.
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

/** Returns whether an imported opt-out applies to the person on the list, who must not have confirmed since. */
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

/** False if one of the times is unknown. */
export function hasConfirmedSince(confirmed_at: number | null, unsubscribed_at: number | null): boolean {
  return confirmed_at !== null && unsubscribed_at !== null && unsubscribed_at < confirmed_at;
}

export function firstState(needsConfirmation: boolean): PersonState {
  return needsConfirmation ? 'pending' : 'subscribed';
}

/**
 * The result of a signup that is stored in this state. With `confirm`, every signup has to be confirmed. Without it,
 * `pending` would reveal an opt-out, so it is not returned.
 */
export function signupResult(state: PersonState, confirm: boolean): SignupResult {
  return confirm && state === 'pending' ? 'pending' : 'created';
}

/**
 * Returns whether a signup has to be confirmed. Anyone can sign up any address, so an opt-out applies, whatever the
 * setting, until the mailbox's owner confirms.
 */
export function needsConfirmation(confirm: boolean, isOptedOut: boolean): boolean {
  return confirm || isOptedOut;
}

export interface FirstSteps {
  /** True if all signups have to be confirmed. */
  readonly confirm: boolean;
  /** True if signups that need no confirmation get the welcome email. */
  readonly welcomeEmail: boolean;
}

export function firstStep({ confirm, welcomeEmail }: FirstSteps): {
  readonly state: PersonState;
  readonly message: 'confirmation' | 'welcome' | null;
} {
  return { state: firstState(confirm), message: confirm ? 'confirmation' : welcomeEmail ? 'welcome' : null };
}

/**
 * Returns whether the person may sign up again. The new data is stored separately until confirmed (`EnteredSignup`).
 */
export function maySignUpAgain(state: PersonState): boolean {
  return state === 'unsubscribed';
}
