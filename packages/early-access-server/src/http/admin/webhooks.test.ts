import { serveHttp } from '@early-access-kit/testkit/http-server';
import { signupOf } from '@early-access-kit/testkit/records';
import { Webhook as Signature } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AdminHarness, adminHarness, readJson, signedIn } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { until } from '../../fixtures/mail-harness.ts';
import type { DeliveriesResponse, NewWebhookResponse, WebhooksResponse } from '../routing/schemas/webhooks.ts';

const ENDPOINT = { url: 'https://hooks.example.com/list', format: 'json', events: ['signup.created'] };
const LOCAL = { webhooks: { allowLocal: true } };

async function withWebhooks(options?: Parameters<typeof signedIn>[0]) {
  const harness = await signedIn(options);
  const add = (endpoint: unknown = ENDPOINT) => readJson<NewWebhookResponse>(harness.post('/webhooks', endpoint));
  return { ...harness, add };
}

const actions = async ({ store }: Pick<AdminHarness, 'store'>) =>
  (await store.admin.audit(10)).map(({ action }) => action);

/** A receiver on this machine that verifies what it gets with the secret. */
async function receiver(status = 200) {
  const received: unknown[] = [];
  const secret = { now: '' };
  const server = await serveHttp(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push(new Signature(secret.now).verify(body, headers));
    response.writeHead(status).end();
  });
  onTestFinished(server.close);
  return { url: `${server.origin.replace('localhost', '127.0.0.1')}/`, received, secret };
}

describe('/webhooks', () => {
  it('adds, lists, changes and removes endpoints, and shows a secret once', async () => {
    const harness = await withWebhooks();
    const { post, get, add } = harness;
    const { webhook, secret } = await add();
    expect(webhook).toMatchObject({ ...ENDPOINT, name: 'hooks.example.com', failing_since: null, disabled_at: null });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const list = await (await get('/webhooks')).text();
    expect(JSON.parse(list)).toEqual({ webhooks: [webhook] });
    expect(list).not.toContain('whsec_');
    const changes = {
      name: ' CRM ',
      url: 'https://other.example.com/x',
      format: 'slack',
      events: ['person.erased'],
      enabled: false,
    };
    expect((await post(`/webhooks/${webhook.id}`, changes)).status).toBe(204);
    const { webhooks } = await readJson<WebhooksResponse>(get('/webhooks'));
    expect(webhooks).toMatchObject([
      { name: 'CRM', url: changes.url, format: 'slack', disabled_at: expect.any(Number) },
    ]);
    expect((await post(`/webhooks/${webhook.id}/remove`)).status).toBe(204);
    expect((await post(`/webhooks/${webhook.id}/remove`)).status).toBe(404);
    expect(await readJson<WebhooksResponse>(get('/webhooks'))).toEqual({ webhooks: [] });
    expect(await actions(harness)).toEqual(['remove-webhook', 'change-webhook', 'add-webhook', 'sign-in']);
  });

  it('refuses what is not valid, and says why', async () => {
    const { post, store } = await withWebhooks();
    for (const [endpoint, message] of [
      [{ ...ENDPOINT, url: 'http://hooks.example.com' }, 'url must begin with https://'],
      [{ ...ENDPOINT, url: 'hooks.example.com' }, 'url must look like https://example.com/hooks'],
      [{ ...ENDPOINT, url: 'https://127.0.0.1/' }, 'url leads to an address that is not public'],
      [{ ...ENDPOINT, name: 'ada@example.org' }, 'name must be one line of at most 80 characters without an address'],
      [{ ...ENDPOINT, name: 'x'.repeat(81) }, 'name must be one line'],
      [{ ...ENDPOINT, name: null }, 'name must be one line'],
      [{ ...ENDPOINT, url: 7 }, 'url must be text of at most 2000 characters'],
      [{ ...ENDPOINT, format: 'teams' }, 'format must be one of json, slack, discord'],
      [{ ...ENDPOINT, events: [] }, 'events must list at least one of signup.created'],
      [{ ...ENDPOINT, events: ['signup.deleted'] }, 'events must list at least one of signup.created'],
      [
        { url: ENDPOINT.url },
        'format is missing: it must be one of json, slack, discord; events is missing: it must list',
      ],
      [null, 'url is missing; format is missing'],
    ] as const) {
      const response = await post('/webhooks', endpoint);
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: { code: 'invalid', message: expect.stringContaining(message) } },
      ]);
    }
    expect(await store.webhooks.list()).toEqual([]);
  });

  it('refuses the 21st endpoint, and changes that are not valid', async () => {
    const { post, add, store } = await withWebhooks();
    for (let turn = 0; turn < 20; turn += 1) await add();
    expect((await post('/webhooks', ENDPOINT)).status).toBe(400);
    const before = await store.webhooks.list();
    for (const changes of [{ enabled: 'yes' }, { url: 'ftp://example.com' }, { events: null }]) {
      expect((await post(`/webhooks/${before[0]?.id}`, changes)).status).toBe(400);
    }
    expect(await store.webhooks.list()).toEqual(before);
    expect((await post('/webhooks/unknown', { enabled: true })).status).toBe(404);
  });

  it('delivers events to an endpoint while the server runs, and again if the admin wants it', async () => {
    const harness = await withWebhooks(LOCAL);
    const { app, post, get, add, request } = harness;
    const { url, received, secret } = await receiver();
    const { webhook, secret: made } = await add({ ...ENDPOINT, name: 'CRM', url });
    secret.now = made;
    app.start();
    const signup = signupOf();
    expect((await request('POST', '/signups', { body: signup })).ok).toBe(true);
    await until(() => expect(received).toHaveLength(1));
    expect(received).toMatchObject([{ type: 'signup.created', data: { email: signup.email } }]);
    const log = () => readJson<DeliveriesResponse>(get(`/webhooks/${webhook.id}/deliveries`));
    await vi.waitFor(async () => expect((await log()).deliveries).toMatchObject([{ state: 'sent', attempts: 1 }]));
    const { deliveries } = await log();
    expect(JSON.stringify(deliveries)).not.toContain('@');
    expect((await post('/webhook-deliveries/resend', { id: deliveries[0]?.id })).status).toBe(204);
    await until(() => expect(received).toHaveLength(2));
    expect(received[1]).toEqual(received[0]);
    expect((await post('/webhook-deliveries/resend', { id: 'unknown' })).status).toBe(409);
    expect(await actions(harness)).toEqual(['resend-webhook', 'add-webhook', 'sign-in']);
    expect(JSON.stringify(harness.log)).not.toMatch(/127\.0\.0\.1|@/);
  });

  it('emails the admins once an endpoint was disabled after a day of failures', async () => {
    const admins = ['ada@example.com', 'bob@example.com'];
    const { app, store, clock, emails, log, signIn, request } = adminHarness({ ...LOCAL, adminEmail: admins.join() });
    const cookie = await signIn('ada@example.com');
    await request('POST', '/admin/webhooks', { cookie, body: { ...ENDPOINT, url: 'http://localhost:1025/' } });
    await store.createSignup(signupOf());
    await app.runJobs();
    clock.now += 25 * 3_600_000;
    await app.runJobs();
    await app.runJobs();
    const notices = emails.filter(({ text }) => text.includes('localhost:1025'));
    expect(notices.map(({ to }) => to)).toEqual(admins);
    expect(notices[0]?.text).toContain('nothing listens there');
    const fields = { webhook: expect.any(String), name: 'localhost:1025', reason: 'nothing listens there' };
    expect(log.filter(({ event }) => event === 'webhook-disabled')).toEqual([
      { level: 'error', event: 'webhook-disabled', fields },
    ]);
    await app.runJobs();
    expect(emails.filter(({ text }) => text.includes('localhost:1025'))).toHaveLength(2);
  });

  it('emails an admin who wants to know of new signups how many there are, and nothing about them', async () => {
    const { app, clock, emails, post, store } = await withWebhooks();
    expect((await post('/settings', { signup_notices: 'each' })).status).toBe(204);
    const signups = [signupOf(), signupOf()];
    for (const signup of signups) await store.createSignup(signup);
    clock.now += 300_000;
    emails.length = 0;
    await app.runJobs();
    const notices = emails.filter(({ to }) => to === ADMIN_EMAIL);
    expect(notices).toHaveLength(1);
    expect(notices[0]?.text).toContain('2');
    for (const { email } of signups) expect(JSON.stringify(notices)).not.toContain(email);
  });

  it('sends a test event and says in plain words what came of it', async () => {
    const harness = await withWebhooks(LOCAL);
    const { post, add } = harness;
    const working = await receiver(202);
    const { webhook, secret } = await add({ ...ENDPOINT, url: working.url });
    working.secret.now = secret;
    expect(await readJson(post(`/webhooks/${webhook.id}/test`))).toEqual({
      delivered: true,
      explanation: 'It responded 202.',
    });
    expect(working.received).toMatchObject([{ type: 'test', data: { id: 'test' } }]);
    const { webhook: down } = await add({ ...ENDPOINT, url: 'http://127.0.0.1:1025/' });
    expect(await readJson(post(`/webhooks/${down.id}/test`))).toEqual({
      delivered: false,
      explanation: 'Not delivered: nothing listens there.',
    });
    expect(await actions(harness)).toContain('test-webhook');
  });
});
