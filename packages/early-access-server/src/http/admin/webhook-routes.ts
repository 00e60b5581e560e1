import { StorageError } from 'early-access-kit/core';
import type { Webhook } from '../../app/ports/webhook-store.ts';
import { MAX_WEBHOOKS } from '../../app/webhooks/endpoint.ts';
import { newSecret } from '../../app/webhooks/webhook-request.ts';
import { Failure } from '../routing/failure.ts';
import { idBody } from '../routing/schemas/server.ts';
import {
  addedWebhook,
  deliveryList,
  newWebhook,
  webhookChange,
  webhookList,
  webhookTest,
} from '../routing/schemas/webhooks.ts';
import { type AdminRouter, route } from './admin-route.ts';

const MAX_DELIVERIES = 100;
const MISSING = { 404: 'This endpoint no longer exists.' };

/** Routes for webhook endpoints. A secret is only returned once, when its endpoint is added. */
export function webhookRoutes(router: AdminRouter): void {
  endpointRoutes(router);
  changeRoutes(router);
  deliveryRoutes(router);
}

function endpointRoutes(router: AdminRouter): void {
  const { webhooks } = router.store;
  const { sessions, webhooks: options } = router.service;
  route(router, {
    method: 'get',
    path: '/webhooks',
    summary: 'The endpoints that events are sent to.',
    response: webhookList,
    async respond() {
      const list = await webhooks.list();
      return { webhooks: list.map(({ secret: _, ...webhook }) => webhook) };
    },
  });
  route(router, {
    method: 'post',
    path: '/webhooks',
    summary: 'Adds an endpoint. Its secret is in this response only.',
    body: newWebhook(options.allowLocal),
    response: addedWebhook,
    async respond({ caller, body }) {
      if ((await webhooks.list()).length >= MAX_WEBHOOKS) {
        throw new StorageError('invalid', `there are already ${MAX_WEBHOOKS} endpoints; remove one first`);
      }
      const { secret, ...webhook } = await webhooks.add({ ...body, secret: newSecret() });
      await sessions.record(caller, 'add-webhook', 1);
      return { webhook, secret };
    },
  });
}

function changeRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  route(router, {
    method: 'post',
    path: '/webhooks/:id',
    summary: 'Changes an endpoint. Fields that are left out are not changed.',
    body: webhookChange(service.webhooks.allowLocal),
    refusals: MISSING,
    async respond({ id, caller, body }) {
      await findWebhook(id, router);
      if (!(await store.webhooks.change(id, body))) throw gone();
      context.wakeMail();
      await service.sessions.record(caller, 'change-webhook', 1);
    },
  });
  route(router, {
    method: 'post',
    path: '/webhooks/:id/remove',
    summary: 'Removes an endpoint and its deliveries.',
    refusals: MISSING,
    async respond({ id, caller }) {
      await findWebhook(id, router);
      if (await store.webhooks.remove(id)) await service.sessions.record(caller, 'remove-webhook', 1);
    },
  });
}

function deliveryRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  route(router, {
    method: 'post',
    path: '/webhooks/:id/test',
    summary: 'Sends a test event, and waits for the response of the endpoint.',
    response: webhookTest,
    refusals: MISSING,
    async respond({ id, caller }) {
      const webhook = await findWebhook(id, router);
      await service.sessions.record(caller, 'test-webhook', 1);
      const result = await service.webhooks.sendTest(webhook);
      return {
        delivered: result.delivered,
        explanation: result.delivered ? `It responded ${result.status}.` : `Not delivered: ${result.reason}.`,
      };
    },
  });
  route(router, {
    method: 'get',
    path: '/webhooks/:id/deliveries',
    summary: 'The newest deliveries of an endpoint.',
    response: deliveryList,
    refusals: MISSING,
    async respond({ id }) {
      await findWebhook(id, router);
      return { deliveries: await store.webhooks.deliveries(id, MAX_DELIVERIES) };
    },
  });
  route(router, {
    method: 'post',
    path: '/webhook-deliveries/resend',
    summary: 'Sends an event again.',
    body: idBody,
    refusals: { 409: 'It is being sent, is gone, or its endpoint is off.' },
    async respond({ caller, body }) {
      if (!(await store.webhooks.resend(body.id))) {
        throw new Failure(409, 'invalid', 'it cannot be sent again: it is being sent, is gone, or its endpoint is off');
      }
      context.wakeMail();
      await service.sessions.record(caller, 'resend-webhook', 1);
    },
  });
}

async function findWebhook(id: string, { store }: AdminRouter): Promise<Webhook> {
  const found = (await store.webhooks.list()).find((webhook) => webhook.id === id);
  if (found === undefined) throw gone();
  return found;
}

function gone(): Failure {
  return new Failure(404, 'invalid', 'this endpoint no longer exists');
}
