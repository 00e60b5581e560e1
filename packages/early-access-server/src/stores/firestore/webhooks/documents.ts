import type { DocumentSnapshot } from 'firebase-admin/firestore';
import { MAIL_STATES, type MessageRecord } from '../../../app/mail/message.ts';
import { EVENT_TYPES, WEBHOOK_FORMATS } from '../../../app/webhooks/events.ts';
import type { Webhook, WebhookDelivery } from '../../../app/webhooks/webhook-store.ts';

/** `webhook_deliveries/{id}`. The event's id is the message's key: the same for every attempt. */
export interface DeliveryDocument extends MessageRecord {
  readonly webhook_id: string;
  readonly type: string;
  readonly at: number;
  readonly person: string;
  /** Identifies the attempt; empty before the first. */
  readonly claimed_by: string;
}

export function toWebhook(document: DocumentSnapshot): Webhook {
  const events: unknown = document.get('events');
  return {
    id: document.id,
    url: text(document, 'url'),
    secret: text(document, 'secret'),
    format: oneOf(document, 'format', WEBHOOK_FORMATS),
    events: EVENT_TYPES.filter((type) => Array.isArray(events) && events.includes(type)),
    created_at: number(document, 'created_at'),
    failing_since: numberOrNull(document, 'failing_since'),
    failures: number(document, 'failures'),
    paused_until: number(document, 'paused_until'),
    disabled_at: numberOrNull(document, 'disabled_at'),
  };
}

export function toDelivery(document: DocumentSnapshot): WebhookDelivery {
  const { state, message_key: id, attempts, next_attempt_at, reason, changed_at } = toMessage(document);
  const type = oneOf(document, 'type', EVENT_TYPES);
  return {
    id: document.id,
    webhook_id: text(document, 'webhook_id'),
    event: { id, type, at: number(document, 'at'), person: text(document, 'person') },
    state,
    attempts,
    next_attempt_at,
    reason,
    changed_at,
  };
}

export function toMessage(document: DocumentSnapshot): MessageRecord {
  return {
    state: oneOf(document, 'state', MAIL_STATES),
    message_key: text(document, 'message_key'),
    attempts: number(document, 'attempts'),
    next_attempt_at: number(document, 'next_attempt_at'),
    lease_until: number(document, 'lease_until'),
    reason: document.get('reason') === null ? null : text(document, 'reason'),
    changed_at: number(document, 'changed_at'),
  };
}

/** Fields with their types checked: only the application writes these documents. */
function text(document: DocumentSnapshot, field: string): string {
  const value: unknown = document.get(field);
  if (typeof value !== 'string') throw new TypeError(`field ${field} holds no text`);
  return value;
}

function oneOf<T extends string>(document: DocumentSnapshot, field: string, values: readonly T[]): T {
  const found = values.find((value) => value === document.get(field));
  if (found === undefined) throw new TypeError(`field ${field} holds an unknown value`);
  return found;
}

function number(document: DocumentSnapshot, field: string): number {
  const value: unknown = document.get(field);
  if (typeof value !== 'number') throw new TypeError(`field ${field} holds no number`);
  return value;
}

function numberOrNull(document: DocumentSnapshot, field: string): number | null {
  return document.get(field) === null ? null : number(document, field);
}
