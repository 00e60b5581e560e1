import type { PersonEvent } from '../list/states.ts';

/** What the admin's endpoints are told. */
export const EVENT_TYPES = [
  'signup.created',
  'signup.confirmed',
  'signup.unsubscribed',
  'invite.redeemed',
  'person.erased',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What endpoints are told when something happens to a person; undefined: nothing. */
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
  /** In epoch milliseconds. */
  readonly at: number;
  /** The public id of the person, as in `Person`. */
  readonly person: string;
}
