import { DAY_MS } from 'early-access-kit/internal';
import type { MailState } from '../mail/message-state.ts';
import type { EndpointHealth, EndpointOutcome } from '../webhooks/endpoint.ts';
import type { EventType, ListEvent, WebhookFormat } from '../webhooks/events.ts';
import type { Awaitable } from './log.ts';

/** How long deliveries are stored: 30 days. */
export const DELIVERY_LOG_MS = 30 * DAY_MS;

/** A webhook endpoint. Times are epoch milliseconds. */
export interface Webhook extends EndpointHealth {
  readonly id: string;
  /** See `nameEndpoint`. Contains no address. */
  readonly name: string;
  readonly url: string;
  /** The signing key: `whsec_` and base64. */
  readonly secret: string;
  readonly format: WebhookFormat;
  readonly events: readonly EventType[];
  readonly created_at: number;
}

/** The fields of an endpoint that an admin can change. */
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
  /** Why the last attempt failed: the response status, or why there was no response. */
  readonly reason: string | null;
  readonly changed_at: number;
}

/** A delivery that only this caller may make. */
export interface ClaimedDelivery extends WebhookDelivery {
  readonly webhook: Webhook;
  /** Identifies the attempt, so that a late outcome cannot affect a later attempt. */
  readonly claimToken: string;
}

/**
 * The part of a store for webhook endpoints and their queue. It decides with the functions of
 * `app/mail/message-state.ts` and `app/webhooks/endpoint.ts`. An event is recorded in the transaction of the change, as
 * one delivery per endpoint that wants it; for a disabled endpoint it is `failed` at once. Erasing a person deletes
 * their deliveries, except those of `person.erased`.
 */
export interface WebhookStore {
  /** Oldest first. */
  list(): Awaitable<readonly Webhook[]>;
  /** Without a name, the endpoint is named after its host. */
  add(webhook: NewWebhook): Promise<Webhook>;
  /**
   * Returns false if the endpoint does not exist. Enabling it queues deliveries again that `failed` within the last
   * day; disabling it fails queued ones. A new URL ends a pause and makes queued deliveries due at once.
   */
  change(id: string, changes: WebhookChanges): Promise<boolean>;
  /** Deletes the endpoint and its deliveries. */
  remove(id: string): Promise<boolean>;
  /** Newest first. */
  deliveries(webhookId: string, limit: number): Awaitable<readonly WebhookDelivery[]>;
  /**
   * Queues a delivery again, with its event's id, and ends a pause of its endpoint. Returns false if it does not exist
   * or is being sent, or if its endpoint is disabled.
   */
  resend(deliveryId: string): Promise<boolean>;
  /**
   * Marks the delivery that has been due longest as `sending`. Exactly one caller gets it. Null if nothing is due.
   * Skips paused endpoints and those in `busy`.
   */
  claim(busy?: readonly string[]): Promise<ClaimedDelivery | null>;
  /**
   * `disabled`: deliveries have now failed for a day. The endpoint is disabled, its queued deliveries fail, and a
   * notice to each of these admins is queued, all in one transaction.
   */
  recordOutcome(
    delivery: ClaimedDelivery,
    outcome: EndpointOutcome,
    recipients: readonly string[],
  ): Promise<'recorded' | 'disabled'>;
  /** Queues deliveries again whose process ended. A receiver recognises an event that comes twice by its id. */
  expireLeases(): Promise<number>;
  /** Counts deliveries that are `queued` or `sending`. Reads no others. */
  backlog(): Promise<Readonly<Record<'queued' | 'sending', number>>>;
  /** When the next delivery to an endpoint that is neither disabled nor paused is due. */
  findNextDue(): Awaitable<number | null>;
  /** Deletes deliveries of events older than `DELIVERY_LOG_MS`, at most `limit`. Returns how many. */
  prune(limit: number): Promise<number>;
}
