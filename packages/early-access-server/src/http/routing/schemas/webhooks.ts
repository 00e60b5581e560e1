import * as z from 'zod';
import { MAIL_STATES } from '../../../app/mail/message-state.ts';
import type { Webhook } from '../../../app/ports/webhook-store.ts';
import { MAX_WEBHOOK_NAME } from '../../../app/webhooks/endpoint-name.ts';
import { MAX_URL_LENGTH, urlProblem } from '../../../app/webhooks/endpoint-url.ts';
import { EVENT_TYPES, WEBHOOK_FORMATS } from '../../../app/webhooks/events.ts';
import {
  count,
  createChoices,
  createEnum,
  flag,
  lineOfText,
  type Output,
  record,
  text,
  time,
} from '../openapi/schema.ts';

const name = lineOfText(0, MAX_WEBHOOK_NAME)
  .exactOptional()
  .describe('Names it in the dashboard, emails and the log. Without one: the host of the URL.');
const format = createEnum(WEBHOOK_FORMATS);
const events = createChoices(EVENT_TYPES);

/** `allowLocal`: the endpoint may be on this machine or its networks. */
function endpointUrl(allowLocal: boolean) {
  return text(MAX_URL_LENGTH)
    .trim()
    .superRefine((url, context) => {
      const problem = urlProblem(url, allowLocal);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .transform((url) => new URL(url).href)
    .describe(allowLocal ? 'http or https.' : 'https, at a public address.');
}

export function newWebhook(allowLocal: boolean) {
  return z.object({ name, url: endpointUrl(allowLocal), format, events });
}

/** Fields that are left out are not changed. */
export function webhookChange(allowLocal: boolean) {
  return z.object({
    name,
    url: endpointUrl(allowLocal).exactOptional(),
    format: format.exactOptional(),
    events: events.exactOptional(),
    enabled: flag().exactOptional(),
  });
}

export type WebhookWithoutSecret = Omit<Webhook, 'secret'>;
const webhook = record<WebhookWithoutSecret>()('Webhook', {
  id: z.string(),
  name: z.string().describe('The name it was given, or the host of its URL.'),
  url: z.string(),
  format: z.enum(WEBHOOK_FORMATS),
  events: z.array(z.enum(EVENT_TYPES)),
  created_at: time,
  failing_since: time.nullable().describe('Since when every attempt has failed.'),
  failures: count,
  paused_until: time,
  disabled_at: time.nullable(),
});

export const webhookList = z.object({ webhooks: z.array(webhook) });
export type WebhooksResponse = Output<typeof webhookList>;

export const addedWebhook = z.object({
  webhook,
  secret: z.string().describe('For the signature. It is shown this once.'),
});
export type NewWebhookResponse = Output<typeof addedWebhook>;

export const webhookTest = z.object({ delivered: z.boolean(), explanation: z.string() });
export type TestWebhookResponse = Output<typeof webhookTest>;

export const deliveryList = z.object({
  deliveries: z
    .array(
      z
        .object({
          id: z.string(),
          webhook_id: z.string(),
          event: z.object({
            id: z.string().describe('The same for every attempt.'),
            type: z.enum(EVENT_TYPES),
            at: time,
            person: z.string(),
          }),
          state: z.enum(MAIL_STATES),
          attempts: count,
          next_attempt_at: time,
          reason: z.string().nullable(),
          changed_at: time,
        })
        .meta({ id: 'WebhookDelivery' }),
    )
    .describe('The newest first, at most 100.'),
});
export type DeliveriesResponse = Output<typeof deliveryList>;
