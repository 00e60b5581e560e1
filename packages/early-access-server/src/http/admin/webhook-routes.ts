import { StorageError } from 'early-access-kit/core';
import type {
  DeliveriesResponse,
  NewWebhookResponse,
  TestWebhookResponse,
  WebhooksResponse,
} from '../../app/admin/admin-api.ts';
import { MAX_WEBHOOKS } from '../../app/webhooks/endpoint.ts';
import { newSecret } from '../../app/webhooks/webhook-request.ts';
import type { Webhook } from '../../app/webhooks/webhook-store.ts';
import { Failure } from '../failure.ts';
import type { AppContext } from '../route-context.ts';
import { idBody } from '../schemas/server.ts';
import {
  addedWebhook,
  deliveryList,
  newWebhook,
  webhookChange,
  webhookList,
  webhookTest,
} from '../schemas/webhooks.ts';
import type { AdminRouter } from './admin-context.ts';

const MAX_DELIVERIES = 100;

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

  get('/webhooks', { summary: 'The endpoints that events are sent to.', responses: { 200: webhookList } }, async () => {
    const list = await webhooks.list();
    const response: WebhooksResponse = { webhooks: list.map(({ secret: _, ...webhook }) => webhook) };
    return json(response);
  });

  const add = {
    summary: 'Adds an endpoint. Its secret is in this response only.',
    body: newWebhook(allowLocal),
    responses: { 200: addedWebhook },
  };
  post('/webhooks', add, async ({ session, body }) => {
    if ((await webhooks.list()).length >= MAX_WEBHOOKS) {
      throw new StorageError('invalid', `there are ${MAX_WEBHOOKS} endpoints already; remove one first`);
    }
    const { secret, ...webhook } = await webhooks.add({ ...body, secret: newSecret() });
    await sessions.record(session, 'add-webhook', 1);
    const response: NewWebhookResponse = { webhook, secret };
    return json(response);
  });

  const missing = { 404: 'This endpoint no longer exists.' };
  const change = {
    summary: 'Changes an endpoint. What is left out stays as it is.',
    body: webhookChange(allowLocal),
    responses: { 204: null },
    refusals: missing,
  };
  post('/webhooks/:id', change, async ({ c, session, body }) => {
    const { id } = await find(c);
    if (!(await webhooks.change(id, body))) throw gone();
    context.wakeMail();
    await sessions.record(session, 'change-webhook', 1);
    return done();
  });

  const remove = {
    summary: 'Removes an endpoint and its deliveries.',
    responses: { 204: null },
    refusals: missing,
  };
  post('/webhooks/:id/remove', remove, async ({ c, session }) => {
    const { id } = await find(c);
    if (await webhooks.remove(id)) await sessions.record(session, 'remove-webhook', 1);
    return done();
  });

  const test = {
    summary: 'Sends a test event, and waits for the response of the endpoint.',
    responses: { 200: webhookTest },
    refusals: missing,
  };
  post('/webhooks/:id/test', test, async ({ c, session }) => {
    const webhook = await find(c);
    await sessions.record(session, 'test-webhook', 1);
    const result = await sendTest(webhook);
    const response: TestWebhookResponse = {
      delivered: result.delivered,
      explanation: result.delivered ? `It responded ${result.status}.` : `Not delivered: ${result.reason}.`,
    };
    return json(response);
  });

  const deliveries = {
    summary: 'The newest deliveries of an endpoint.',
    responses: { 200: deliveryList },
    refusals: missing,
  };
  get('/webhooks/:id/deliveries', deliveries, async ({ c }) => {
    const { id } = await find(c);
    const response: DeliveriesResponse = { deliveries: await webhooks.deliveries(id, MAX_DELIVERIES) };
    return json(response);
  });

  const resend = {
    summary: 'Sends an event again.',
    body: idBody,
    responses: { 204: null },
    refusals: { 409: 'It is being sent, is gone, or its endpoint is off.' },
  };
  post('/webhook-deliveries/resend', resend, async ({ session, body }) => {
    if (!(await webhooks.resend(body.id))) {
      throw new Failure(409, 'invalid', 'it cannot be sent again: it is being sent, is gone, or its endpoint is off');
    }
    context.wakeMail();
    await sessions.record(session, 'resend-webhook', 1);
    return done();
  });
}

function gone(): Failure {
  return new Failure(404, 'invalid', 'this endpoint no longer exists');
}
