import type { PersonEvent } from '../lifecycle/states.ts';

export const EVENT_TYPES = [
  'signup.created',
  'signup.confirmed',
  'signup.unsubscribed',
  'invite.redeemed',
  'person.erased',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The event that endpoints receive for a change of a person's state. Undefined if there is none. */
export const EVENT_OF: Readonly<Partial<Record<PersonEvent, EventType>>> = {
  confirm: 'signup.confirmed',
  redeem: 'invite.redeemed',
  unsubscribe: 'signup.unsubscribed',
};

/** `json` follows the Standard Webhooks specification; the others are chat messages. */
export const WEBHOOK_FORMATS = ['json', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** An event as a store records it, in the transaction of the change and without the address. */
export interface ListEvent {
  /** The same for all attempts. */
  readonly id: string;
  readonly type: EventType;
  /** In epoch milliseconds. */
  readonly at: number;
  /** The public id of the person, as in `Person`. */
  readonly person: string;
}
