import { HOUR_MS } from 'early-access-kit/internal';
import {
  type DeliveriesResponse,
  EVENT_TYPES,
  type NewWebhookResponse,
  type TestWebhookResponse,
  type WebhookWithoutSecret,
} from 'early-access-server/admin-api';
import { NOW } from './dashboard.fixture.ts';

const WORKING: WebhookWithoutSecret = {
  id: 'works',
  name: 'CRM',
  url: 'https://acme.example/early-access/events',
  format: 'json',
  events: EVENT_TYPES,
  created_at: NOW - 90 * HOUR_MS,
  failing_since: null,
  failures: 0,
  paused_until: 0,
  disabled_at: null,
};

const ENDPOINTS: readonly WebhookWithoutSecret[] = [
  WORKING,
  {
    ...WORKING,
    id: 'fails',
    name: 'hooks.slack.com',
    url: 'https://hooks.slack.com/services/T024BE7LD/B0FAKE/example',
    format: 'slack',
    events: ['signup.created', 'invite.redeemed'],
    failing_since: NOW - 3 * HOUR_MS,
    failures: 7,
    paused_until: NOW + HOUR_MS / 2,
  },
  {
    ...WORKING,
    id: 'disabled',
    name: 'crm.acme.example:8443',
    url: 'https://crm.acme.example:8443/hooks',
    failing_since: NOW - 30 * HOUR_MS,
    disabled_at: NOW - 6 * HOUR_MS,
  },
  {
    ...WORKING,
    id: 'off',
    name: 'discord.com',
    url: 'https://discord.com/api/webhooks/1/example',
    format: 'discord',
    disabled_at: NOW,
  },
];

const LOG: DeliveriesResponse['deliveries'] = (['queued', 'failed', 'sent', 'sent', 'sent'] as const).map(
  (state, index) => ({
    id: String(index),
    webhook_id: 'works',
    event: {
      id: `event-${index}`,
      type: EVENT_TYPES[index] ?? 'signup.created',
      at: NOW - index * HOUR_MS,
      person: '1-x',
    },
    state,
    attempts: index === 1 ? 32 : 1,
    next_attempt_at: NOW,
    reason: state === 'sent' ? null : 'no response within 10 seconds',
    changed_at: NOW,
  }),
);

/** The fake server's endpoints. `respond` returns undefined for every other request. */
export function fakeWebhooks(isEmpty: boolean) {
  let webhooks = isEmpty ? [] : ENDPOINTS;
  const byId = (id: string, change: (webhook: WebhookWithoutSecret) => WebhookWithoutSecret[]) => {
    webhooks = webhooks.flatMap((webhook) => (webhook.id === id ? change(webhook) : webhook));
    return new Response(null, { status: 204 });
  };
  return {
    respond(name: string, body: Record<string, unknown>): Response | undefined {
      const [, method, id = '', action] = /^(GET|POST) \/admin\/webhooks(?:\/(\w+))?(?:\/(\w+))?$/.exec(name) ?? [];
      if (name === 'POST /admin/webhook-deliveries/resend') return new Response(null, { status: 204 });
      if (method === undefined) return undefined;
      if (action === 'deliveries') return Response.json({ deliveries: LOG } satisfies DeliveriesResponse);
      if (action === 'remove') return byId(id, () => []);
      if (action === 'test') {
        const explanation = id === 'works' ? 'It responded 200.' : 'Not delivered: nothing listens there.';
        return Response.json({ delivered: id === 'works', explanation } satisfies TestWebhookResponse);
      }
      if (method === 'GET') return Response.json({ webhooks });
      if (id !== '') {
        const disabled_at = body.enabled === false ? NOW : null;
        const name = (webhook: WebhookWithoutSecret) => String(body.name ?? webhook.name);
        return byId(id, (webhook) => [{ ...webhook, name: name(webhook), disabled_at, failing_since: null }]);
      }
      const url = String(body.url);
      const webhook = { ...WORKING, id: 'added', name: String(body.name) || new URL(url).host, url };
      webhooks = [...webhooks, webhook];
      const secret = 'whsec_TUZLUTlyOEdLWXFyVHdqVVBEOElMUFo=';
      return Response.json({ webhook, secret } satisfies NewWebhookResponse);
    },
  };
}
