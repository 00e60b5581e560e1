import type { Awaitable } from '../awaitable.ts';
import type { MailState, MessageOutcome } from '../mail/message.ts';
import type { EventType, ListEvent, WebhookFormat } from './events.ts';

/** An endpoint of the admin's. Times are epoch milliseconds. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** For the signature: `whsec_` and base64. */
  readonly secret: string;
  readonly format: WebhookFormat;
  readonly events: readonly EventType[];
  readonly created_at: number;
  /** Since when every attempt has failed; null if the last one succeeded. */
  readonly failing_since: number | null;
  /** When it was disabled, by the admin or after a day of failures; null while it is on. */
  readonly disabled_at: number | null;
}

/** One event for one endpoint. */
export interface WebhookDelivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event: ListEvent;
  readonly state: MailState;
  readonly attempts: number;
  readonly next_attempt_at: number;
  /** The status of the last response, or why there was none. */
  readonly reason: string | null;
  readonly changed_at: number;
}

/** A delivery that this claimant alone may make. */
export interface ClaimedDelivery extends WebhookDelivery {
  readonly webhook: Webhook;
  /** The address, unless the person is erased. Read at the attempt, so that nothing waits in the queue that would have to be erased. */
  readonly email: string | null;
  readonly claimToken: string;
}

/** The part of a store that keeps endpoints and their queue. It decides with the functions of `app/mail/message.ts`. */
export interface WebhookStore {
  list(): Awaitable<readonly Webhook[]>;
  add(webhook: Pick<Webhook, 'url' | 'secret' | 'format' | 'events'>): Promise<Webhook>;
  /** Enabling it also queues what is not older than a day and was not delivered. Returns false if there is none. */
  change(
    id: string,
    changes: Partial<Pick<Webhook, 'url' | 'format' | 'events'>> & { readonly enabled?: boolean },
  ): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** The newest first. */
  deliveries(webhookId: string, limit: number): Awaitable<readonly WebhookDelivery[]>;
  /** Queues a delivery again. Returns false if there is none or it is being sent. */
  resend(deliveryId: string): Promise<boolean>;
  /** Marks the delivery that is due longest `sending`. Exactly one caller gets it. Null if nothing is due. */
  claim(): Promise<ClaimedDelivery | null>;
  /** `disabled`: this failure completes a day of failures, so the endpoint was disabled. */
  recordOutcome(delivery: ClaimedDelivery, outcome: MessageOutcome): Promise<'recorded' | 'disabled'>;
  /** Queues deliveries again whose process ended. A receiver recognises an event that comes twice by its id. */
  expireLeases(): Promise<number>;
  nextDueAt(): Awaitable<number | null>;
  /** Deletes what is older than 30 days, at most `limit`. Returns how many. */
  prune(limit: number): Promise<number>;
}
