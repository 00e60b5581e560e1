/**
 * The life of a person on the list. `pending`: the address is not confirmed yet. `subscribed`: waits for an invitation. `invited`: has a
 * link to the product. `joined`: has used it. `unsubscribed`: wants no more emails; may sign up again. `bounced`: the mail server knows
 * no such mailbox. A person who is erased has no state.
 */
export const PERSON_STATES = ['pending', 'subscribed', 'invited', 'joined', 'unsubscribed', 'bounced'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/**
 * What can happen to a person. `withdraw`: an invitation that was not sent is taken back. `bounce`: the mail server refused the address
 * for good. `retry`: the admin sends to a bounced address again.
 */
export const PERSON_EVENTS = ['confirm', 'invite', 'withdraw', 'redeem', 'unsubscribe', 'bounce', 'retry'] as const;
export type PersonEvent = (typeof PERSON_EVENTS)[number];

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
 * The state after the event; null if the event is not possible now, and nothing may change. `before` is the state in which the address
 * bounced, which a `retry` returns to.
 */
export function nextState(
  state: PersonState,
  event: PersonEvent,
  before: PersonState | null = null,
): PersonState | null {
  const next = TRANSITIONS[state][event];
  return next === 'before' ? (before ?? 'subscribed') : (next ?? null);
}

/** The state of a new signup. */
export function firstState(needsConfirmation: boolean): PersonState {
  return needsConfirmation ? 'pending' : 'subscribed';
}

/** Whether the address may be signed up again, as if it were new. */
export function maySignUpAgain(state: PersonState): boolean {
  return state === 'unsubscribed';
}
