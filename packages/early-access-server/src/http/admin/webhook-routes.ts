import { StorageError } from 'early-access-kit/core';
import type {
  DeliveriesResponse,
  NewWebhookResponse,
  TestWebhookResponse,
  WebhooksResponse,
} from '../../app/admin/admin-api.ts';
import { fieldOf } from '../../app/field-of.ts';
import { MAX_WEBHOOKS } from '../../app/webhooks/endpoint.ts';
import { MAX_URL_LENGTH, urlProblem } from '../../app/webhooks/endpoint-url.ts';
import { EVENT_TYPES, type EventType, WEBHOOK_FORMATS, type WebhookFormat } from '../../app/webhooks/events.ts';
import { newSecret } from '../../app/webhooks/webhook-request.ts';
import type { Webhook } from '../../app/webhooks/webhook-store.ts';
import { Failure } from '../failure.ts';
import type { AppContext } from '../route-context.ts';
import type { AdminRouter } from './admin-context.ts';
import { textField } from './admin-input.ts';

const MAX_DELIVERIES = 100;
const MAX_ID_LENGTH = 100;

/** The endpoints that events are sent to. A secret leaves the server once, when its endpoint is added. */
export function webhookRoutes({ get, post, json, done, service, store, context }: AdminRouter): void {
  const { webhooks } = store;
  const { sessions } = service;
  const { allowLocal, sendTest } = service.webhooks;

  async function find(c: AppContext): Promise<Webhook> {
    const found = (await webhooks.list()).find(({ id }) => id === c.req.param('id'));
    if (found === undefined) throw gone();
    return found;
  }

  get('/webhooks', async () => {
    const list = await webhooks.list();
    const response: WebhooksResponse = { webhooks: list.map(({ secret: _, ...webhook }) => webhook) };
    return json(response);
  });

  post('/webhooks', async (_, session, body) => {
    const url = readUrl(fieldOf(body, 'url'), allowLocal);
    const format = readFormat(fieldOf(body, 'format'));
    const events = readEvents(fieldOf(body, 'events'));
    if ((await webhooks.list()).length >= MAX_WEBHOOKS) {
      throw new StorageError('invalid', `there are ${MAX_WEBHOOKS} endpoints already; remove one first`);
    }
    const { secret, ...webhook } = await webhooks.add({ url, format, events, secret: newSecret() });
    await sessions.record(session, 'add-webhook', 1);
    const response: NewWebhookResponse = { webhook, secret };
    return json(response);
  });

  post('/webhooks/:id', async (c, session, body) => {
    const { id } = await find(c);
    const [url, format, events, enabled] = ['url', 'format', 'events', 'enabled'].map((name) => fieldOf(body, name));
    if (enabled !== undefined && typeof enabled !== 'boolean') {
      throw new StorageError('invalid', 'enabled must be true or false');
    }
    const changes = {
      ...(url !== undefined && { url: readUrl(url, allowLocal) }),
      ...(format !== undefined && { format: readFormat(format) }),
      ...(events !== undefined && { events: readEvents(events) }),
      ...(enabled !== undefined && { enabled }),
    };
    if (!(await webhooks.change(id, changes))) throw gone();
    context.wakeMail();
    await sessions.record(session, 'change-webhook', 1);
    return done();
  });

  post('/webhooks/:id/remove', async (c, session) => {
    const { id } = await find(c);
    if (await webhooks.remove(id)) await sessions.record(session, 'remove-webhook', 1);
    return done();
  });

  post('/webhooks/:id/test', async (c, session) => {
    const webhook = await find(c);
    await sessions.record(session, 'test-webhook', 1);
    const result = await sendTest(webhook);
    const response: TestWebhookResponse = {
      delivered: result.delivered,
      explanation: result.delivered ? `It responded ${result.status}.` : `Not delivered: ${result.reason}.`,
    };
    return json(response);
  });

  get('/webhooks/:id/deliveries', async (c) => {
    const { id } = await find(c);
    const response: DeliveriesResponse = { deliveries: await webhooks.deliveries(id, MAX_DELIVERIES) };
    return json(response);
  });

  post('/webhook-deliveries/resend', async (_, session, body) => {
    if (!(await webhooks.resend(textField(body, 'id', MAX_ID_LENGTH)))) {
      throw new Failure(409, 'invalid', 'it cannot be sent again: it is being sent, is gone, or its endpoint is off');
    }
    context.wakeMail();
    await sessions.record(session, 'resend-webhook', 1);
    return done();
  });
}

function gone(): Failure {
  return new Failure(404, 'invalid', 'there is no such endpoint (any more)');
}

function readUrl(value: unknown, allowLocal: boolean): string {
  const text = textField({ url: value }, 'url', MAX_URL_LENGTH).trim();
  const problem = urlProblem(text, allowLocal);
  if (problem !== null) throw new StorageError('invalid', `the URL ${problem}`);
  return new URL(text).href;
}

function readFormat(value: unknown): WebhookFormat {
  const format = WEBHOOK_FORMATS.find((known) => known === value);
  if (format !== undefined) return format;
  throw new StorageError('invalid', `format must be one of ${WEBHOOK_FORMATS.join(', ')}`);
}

function readEvents(value: unknown): readonly EventType[] {
  const isKnown = (type: unknown) => EVENT_TYPES.some((known) => known === type);
  if (Array.isArray(value) && value.length > 0 && value.every(isKnown)) {
    return EVENT_TYPES.filter((type) => value.includes(type));
  }
  throw new StorageError('invalid', `events must list at least one of ${EVENT_TYPES.join(', ')}`);
}
