import type { Webhook, WebhookDelivery } from '../../app/ports/webhook-store.ts';
import { nameEndpoint } from '../../app/webhooks/endpoint-name.ts';
import { EVENT_TYPES, WEBHOOK_FORMATS } from '../../app/webhooks/events.ts';
import { toMessage } from './message-row.ts';
import { integer, integerOrNull, integers, type Row, readChoice, text, textOrNull, texts } from './row.ts';

export function toWebhook(row: Row): Webhook {
  const events: readonly unknown[] = JSON.parse(text(row, 'events'));
  return {
    ...texts(row, ['id', 'url', 'secret']),
    name: nameEndpoint(textOrNull(row, 'name'), text(row, 'url')),
    ...integers(row, ['created_at', 'failures', 'paused_until']),
    format: readChoice(row, 'format', WEBHOOK_FORMATS),
    events: EVENT_TYPES.filter((type) => events.includes(type)),
    failing_since: integerOrNull(row, 'failing_since'),
    disabled_at: integerOrNull(row, 'disabled_at'),
  };
}

/**
 * The delivery in a row of `webhook_deliveries`. Its event's id, which is the same for every attempt, is selected as
 * `message_key`.
 */
export function toDelivery(row: Row): WebhookDelivery {
  const { state, message_key, attempts, next_attempt_at, reason, changed_at } = toMessage(row);
  return {
    id: String(integer(row, 'id')),
    webhook_id: text(row, 'webhook_id'),
    event: {
      id: message_key,
      type: readChoice(row, 'type', EVENT_TYPES),
      at: integer(row, 'at'),
      person: text(row, 'person'),
    },
    state,
    attempts,
    next_attempt_at,
    reason,
    changed_at,
  };
}
