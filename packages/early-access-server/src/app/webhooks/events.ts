import type { PersonEvent } from '../lifecycle/states.ts';

export const EVENT_TYPES = [
  'signup.created',
  'signup.confirmed',
  'signup.unsubscribed',
  'invite.redeemed',
  'person.erased',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The event that endpoints receive when something happens to a person; undefined for none. */
export const EVENT_OF: Readonly<Partial<Record<PersonEvent, EventType>>> = {
  confirm: 'signup.confirmed',
  redeem: 'invite.redeemed',
  unsubscribe: 'signup.unsubscribed',
};

/** `json` as the Standard Webhooks specification says; the others are messages in a chat. */
export const WEBHOOK_FORMATS = ['json', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Something that happened, as a store records it: in the transaction of the change itself, and without the address. */
export interface ListEvent {
  /** Stable over all attempts. */
  readonly id: string;
  readonly type: EventType;
  /** The time in epoch milliseconds. */
  readonly at: number;
  /** The public id of the person, as in `Person`. */
  readonly person: string;
}
