import { DAY_MS } from 'early-access-kit/internal';
import type { MailState } from '../mail/message-state.ts';
import type { EndpointHealth, EndpointOutcome } from '../webhooks/endpoint.ts';
import type { EventType, ListEvent, WebhookFormat } from '../webhooks/events.ts';
import type { Awaitable } from './log.ts';

/** How long deliveries are stored: 30 days. */
export const DELIVERY_LOG_MS = 30 * DAY_MS;

/** An endpoint of the admin's. Times are epoch milliseconds. */
export interface Webhook extends EndpointHealth {
  readonly id: string;
  /** See `nameEndpoint`. Contains no address. */
  readonly name: string;
  readonly url: string;
  /** The key of the signature: `whsec_` and base64. */
  readonly secret: string;
  readonly format: WebhookFormat;
  readonly events: readonly EventType[];
  readonly created_at: number;
}

/** The fields of an endpoint that an admin changes. */
export type WebhookChanges = Partial<Pick<Webhook, 'name' | 'url' | 'format' | 'events'>> & {
  readonly enabled?: boolean;
};

type NewWebhook = Pick<Webhook, 'url' | 'secret' | 'format' | 'events'> & Partial<Pick<Webhook, 'name'>>;

/** One event for one endpoint. */
export interface WebhookDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event: ListEvent;
  readonly state: MailState;
  readonly attempts: number;
  readonly next_attempt_at: number;
  /** Why the last attempt failed: the status of the response, or why there was none. */
  readonly reason: string | null;
  readonly changed_at: number;
}

/** A delivery that this claimant alone may make. */
export interface ClaimedDelivery extends WebhookDelivery {
  readonly webhook: Webhook;
  /** Identifies the attempt, so that a late outcome cannot change a later one. */
  readonly claimToken: string;
}

/**
 * The part of a store that keeps endpoints and their queue. It decides with the functions of
 * `app/mail/message-state.ts` and `app/webhooks/endpoint.ts`. An event is recorded in the transaction of the change,
 * one delivery for each endpoint that wants it; for a disabled one it is `failed` at once. Erasing a person deletes
 * their deliveries, except deliveries of `person.erased`.
 */
export interface WebhookStore {
  /** The oldest first. */
  list(): Awaitable<readonly Webhook[]>;
  /** Without a name it has that of its host. */
  add(webhook: NewWebhook): Promise<Webhook>;
  /**
   * Returns false if there is none. Enabling it also queues what is not older than a day and has `failed`; disabling it
   * fails what is queued. Another URL ends a pause, and what is queued is due at once.
   */
  change(id: string, changes: WebhookChanges): Promise<boolean>;
  /** Also deletes its deliveries. */
  remove(id: string): Promise<boolean>;
  /** The newest first. */
  deliveries(webhookId: string, limit: number): Awaitable<readonly WebhookDelivery[]>;
  /**
   * Queues a delivery again, with its event's id, and ends a pause of its endpoint. Returns false if there is none, it
   * is being sent, or its endpoint is disabled.
   */
  resend(deliveryId: string): Promise<boolean>;
  /**
   * Marks the delivery that is due longest `sending`. Exactly one caller gets it. Null if nothing is due. Leaves out
   * endpoints that are paused, and those named in `busy`.
   */
  claim(busy?: readonly string[]): Promise<ClaimedDelivery | null>;
  /**
   * `disabled`: this failure completes a day of failures, so the endpoint was disabled, and what is queued for it
   * failed.
   */
  recordOutcome(delivery: ClaimedDelivery, outcome: EndpointOutcome): Promise<'recorded' | 'disabled'>;
  /** Queues deliveries again whose process ended. A receiver recognises an event that comes twice by its id. */
  expireLeases(): Promise<number>;
  /** Counts the deliveries that are `queued` or `sending`. Reads no others. */
  backlog(): Promise<Readonly<Record<'queued' | 'sending', number>>>;
  /** When something is due for an endpoint that is neither disabled nor paused then. */
  findNextDue(): Awaitable<number | null>;
  /** Deletes deliveries of events older than `DELIVERY_LOG_MS`, at most `limit`. Returns how many. */
  prune(limit: number): Promise<number>;
}
