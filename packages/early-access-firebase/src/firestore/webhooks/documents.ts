import {
  EVENT_TYPES,
  type HEALTHY,
  nameEndpoint,
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookDelivery,
} from 'early-access-server/internal';
import type { DocumentSnapshot } from 'firebase-admin/firestore';
import { enumValue, integer, integerOrNull, text, textOrNull } from '../fields.ts';
import { readRecord } from '../message-document.ts';

export function toWebhook(document: DocumentSnapshot): Webhook {
  const events: unknown = document.get('events');
  return {
    id: document.id,
    name: nameEndpoint(textOrNull(document, 'name'), text(document, 'url')),
    url: text(document, 'url'),
    secret: text(document, 'secret'),
    format: enumValue(document, 'format', WEBHOOK_FORMATS),
    events: EVENT_TYPES.filter((type) => Array.isArray(events) && events.includes(type)),
    created_at: integer(document, 'created_at'),
    failing_since: integerOrNull(document, 'failing_since'),
    failures: integer(document, 'failures'),
    paused_until: integer(document, 'paused_until'),
    disabled_at: integerOrNull(document, 'disabled_at'),
  };
}

/** The fields of an endpoint that outcomes of deliveries change. */
export function readHealth({ failing_since, failures, paused_until, disabled_at }: typeof HEALTHY) {
  return { failing_since, failures, paused_until, disabled_at };
}

/** `webhook_deliveries/{id}`. The message key is the event's id: the same for every attempt. */
export function toDelivery(document: DocumentSnapshot): WebhookDelivery {
  const { state, message_key: id, attempts, next_attempt_at, reason, changed_at } = readRecord(document);
  const type = enumValue(document, 'type', EVENT_TYPES);
  return {
    id: document.id,
    webhook_id: text(document, 'webhook_id'),
    event: { id, type, at: integer(document, 'at'), person: text(document, 'person') },
    state,
    attempts,
    next_attempt_at,
    reason,
    changed_at,
  };
}
