import { randomUUID } from 'node:crypto';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import openapiTS from 'openapi-typescript';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { claimBulk, startBulk } from '../../../app/people/bulk.ts';
import { EVERYONE } from '../../../app/people/people.ts';
import { adminHarness } from '../../../fixtures/admin-harness.ts';
import { allRoutes } from '../../../fixtures/all-routes.ts';
import { ADMIN_EMAIL } from '../../../fixtures/app-harness.ts';
import { BRAND_KIT } from '../../../fixtures/brand-kit.ts';
import { listOperations, readDocument } from '../../../fixtures/described-responses.ts';
import { softwareAuthenticator } from '../../../fixtures/software-authenticator.ts';
import { claimNext } from '../../../fixtures/temp-store.ts';
import { madeApiKey } from '../schemas/api-keys.ts';
import { campaign as campaignSchema } from '../schemas/list.ts';
import { passkeyOptions, storedPasskey } from '../schemas/passkeys.ts';
import { peoplePage } from '../schemas/people.ts';
import { savedSegment } from '../schemas/segments.ts';
import { unknownMail } from '../schemas/server.ts';
import { invitedMember, madeOverviewLink } from '../schemas/team.ts';
import { addedWebhook, deliveryList } from '../schemas/webhooks.ts';

const LOCAL = 'http://localhost:4173';
const KEY = 'k'.repeat(32);
const OPTIONS = {
  brand: BRAND_KIT,
  agentDocs: true,
  metrics: { key: KEY },
  hostedForms: { joinPage: true, origins: ['https://shop.example'] },
  invites: { url: new URL('https://product.example'), key: KEY },
  mailEvents: { postmark: KEY },
  webhooks: { allowLocal: true },
  statusPage: true,
  verifyHuman: {
    name: 'test',
    tokenLifetimeMs: 60_000,
    verify: async () => true,
    challenge: async () => ({ salt: 'x' }),
  },
  share: { showPlaces: true },
};
/** Nothing listens there. */
const ENDPOINT = { url: 'http://127.0.0.1:65535/', format: 'json', events: ['signup.created'] };
const CAMPAIGN = {
  subject: 'Hello',
  body: 'We are open.',
  audience: { states: ['subscribed'], source: null },
  revision: 'first',
  replaces: [],
};
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FORM = 'application/x-www-form-urlencoded';

const queriesSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(
          z.object({
            name: z.string(),
            in: z.string(),
            schema: z.object({ type: z.string(), enum: z.unknown(), format: z.unknown() }).partial(),
          }),
        ),
      }),
    ),
  ),
});

interface Example {
  readonly path?: Record<string, string>;
  readonly query?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

it('describes every route of the router, and nothing else', async () => {
  const { app } = adminHarness(OPTIONS);
  const described = listOperations(await readDocument(app.fetch)).map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(described.toSorted()).toEqual(allRoutes().toSorted());
});

it('is a valid OpenAPI document, with a name for each operation', async () => {
  const { app } = adminHarness(OPTIONS);
  const text = await (await app.fetch(new Request('http://localhost/api/openapi.json'))).text();
  await expect(openapiTS(text)).resolves.not.toHaveLength(0);
  const names = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

it('has no text in a query that someone could type an address into', async () => {
  const { request } = adminHarness(OPTIONS);
  const document = queriesSchema.parse(await (await request('GET', '/openapi.json')).json());
  const texts = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters }]) =>
      parameters
        .filter(
          ({ in: place, schema }) => place === 'query' && schema.type !== 'integer' && !schema.enum && !schema.format,
        )
        .map(({ name }) => `${method} ${path} ${name}`),
    ),
  );
  const perPage = (path: string, names: readonly string[]) => names.map((name) => `${path} ${name}`);
  // Time zones, encrypted cursors, ids, tokens, figures without addresses, and what a site writes into its own pages.
  const form = ['key', 'lang', 'page', 'success_url', 'theme'];
  expect(texts.toSorted()).toEqual(
    [
      ...perPage('get /api/admin/dashboard', ['filter', 'zone']),
      ...perPage('get /api/admin/mail/unknown', ['campaign']),
      ...perPage('get /api/admin/people', ['after', 'zone']),
      ...['/count', '.csv'].map((route) => `get /api/admin/people${route} zone`),
      ...['get /form', 'get /join', 'post /api/signup-form'].flatMap((path) => perPage(path, form)),
      ...['get', 'post'].map((method) => `${method} /unsubscribe token`),
      'post /api/unsubscribe token',
    ].toSorted(),
  );
});

it('is the same text for every request, and is missing what this server does not have', async () => {
  const { app, request } = adminHarness();
  const first = await (await request('GET', '/openapi.json')).text();
  expect(await (await request('GET', '/openapi.json')).text()).toBe(first);
  expect(listOperations(await readDocument(app.fetch)).map(({ path }) => path)).not.toContain('/api/invites/redeem');
});

// The harness holds each response to the document, so that what is checked here is that each route has an example that
// succeeds.
it('describes what each route responds to an example', async () => {
  const { app, request, signIn, linkToken, store, clock } = adminHarness(OPTIONS);
  await store.createSignup(signupOf({ email: 'lost@example.org' }), { confirm: false });
  await claimNext(store.mails);
  clock.now += HOUR_MS;
  await store.mails.expireLeases();
  const [cookie, second] = [await signIn(), await signIn()];
  async function read<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body?: unknown,
  ): Promise<z.output<Schema>> {
    const response = await request(body === undefined ? 'GET' : 'POST', `/admin${path}`, { cookie, body });
    return schema.parse(JSON.parse(await response.text()));
  }
  const [lost] = (await read(unknownMail, '/mail/unknown')).messages;
  const { id: step } = await read(campaignSchema, '/campaigns/series', { after: 'subscribed', days: 3 });
  const { webhook } = await read(addedWebhook, '/webhooks', ENDPOINT);
  await store.createSignup(signupOf({ email: 'ada@example.org' }), { confirm: false });
  const person = (await read(peoplePage, '/people')).people[0]?.id ?? '';
  const { id: campaign } = await read(campaignSchema, '/campaigns', CAMPAIGN);
  const { id: draft } = await read(campaignSchema, '/campaigns', { ...CAMPAIGN, revision: 'draft' });
  const { id: planned } = await read(campaignSchema, '/campaigns', { ...CAMPAIGN, revision: 'planned' });
  const tomorrow = new Date(clock.now + DAY_MS).toISOString().slice(0, 16);
  const { deliveries } = await read(deliveryList, `/webhooks/${webhook.id}/deliveries`);
  const conditions = { states: ['invited'], fields: { role: true } };
  const { id: segment } = await read(savedSegment, '/segments', { name: 'Invited', conditions });
  const { api_key: key, secret } = await read(madeApiKey, '/api-keys', { name: 'Reports', scopes: ['analytics'] });
  const agent = await read(madeApiKey, '/api-keys', { name: 'Agent', scopes: ['analytics'] });
  const { id: member } = await read(invitedMember, '/team', { email: 'member@example.org', role: 'viewer' });
  const { link } = await read(madeOverviewLink, '/overview-links', { name: 'Investors' });
  const [device, other] = [softwareAuthenticator(LOCAL), softwareAuthenticator(LOCAL)];
  const challenge = async (path: string) => (await read(passkeyOptions, path, {})).options.challenge;
  const response = device.create(await challenge('/passkeys/options'));
  const { id: passkey } = await read(storedPasskey, '/passkeys', { name: 'Phone', response });
  const assertion = device.get(await challenge('/passkey-sign-in/options'));
  const attestation = other.create(await challenge('/passkeys/options'));
  const bulk = { action: 'label', labels: null, people: 1, filter: EVERYONE, author: { session: 'one' } } as const;
  await store.bulk.update((newest) => startBulk(newest, bulk, clock.now));
  // Another process works on it, so that it does not end meanwhile.
  await store.bulk.update((newest) => claimBulk(newest, 'other', clock.now));
  const session = sessionOf();
  const token = { token: 'x'.repeat(43) };
  await store.createSignup(signupOf({ email: 'kim@example.org' }), { confirm: false });
  const own = { token: (await store.list.createTokens('kim@example.org'))?.status };
  const bearer = { authorization: `Bearer ${KEY}` };

  const ofEve = { people: 1, filter: { search: 'eve@' } };

  const examples: Record<string, Example> = {
    'post /api/signups': { body: { ...signupOf(), human_token: randomUUID() } },
    'post /api/inbox': { body: { email: 'ada@example.org', submission_id: randomUUID() } },
    'post /api/share': { body: { email: 'ada@example.org', submission_id: randomUUID() } },
    'post /api/welcome-email': { body: { email: 'ada@example.org' } },
    'post /api/sessions': { body: session },
    'post /api/sessions/{id}': { path: { id: session.id }, body: updateOf(session) },
    'post /api/summary': { body: { admin_email: ADMIN_EMAIL } },
    'post /api/signup-form': { body: 'email=eve%40example.org', type: FORM },
    'post /api/confirm': { body: token },
    'post /api/confirm/renew': { body: token },
    'post /api/unsubscribe': { body: token },
    'get /unsubscribe': { query: '?token=x' },
    'post /unsubscribe': { query: '?token=x', body: ONE_CLICK, type: FORM },
    'get /form': { query: '?theme=dark' },
    'post /api/links': { body: { email: 'ada@example.org', page: 'status' } },
    'post /api/status': { body: own },
    'post /api/status/export': { body: own },
    'post /api/status/address': { body: { ...own, email: 'bea@example.org' } },
    'post /api/status/unsubscribe': { body: own },
    'post /api/invites/verify': { body: token, headers: bearer },
    'post /api/invites/redeem': { body: token, headers: bearer },
    'post /api/invites/admit': { body: { email: 'ada@example.org' }, headers: bearer },
    'post /api/mail-events/{provider}': { path: { provider: 'postmark' }, headers: bearer },
    'post /api/admin/sign-in': { body: { email: ADMIN_EMAIL } },
    'post /api/admin/session': { body: { token: await linkToken() } },
    'post /api/admin/passkey-sign-in/options': {},
    'post /api/admin/passkey-sign-in': { body: { response: assertion } },
    'post /api/admin/passkeys/options': {},
    'post /api/admin/passkeys': { body: { name: 'Laptop', response: attestation } },
    'post /api/admin/passkeys/{id}': { path: { id: passkey }, body: { name: 'Old laptop' } },
    'post /api/admin/passkeys/{id}/remove': { path: { id: passkey } },
    'post /api/admin/settings': { body: { weekly_email: true } },
    'post /api/admin/sessions/revoke': { body: { id: 'none' } },
    'post /api/admin/mail/test': {},
    'post /api/admin/mail/resume': {},
    'post /api/admin/mail/unknown/{id}': { path: { id: lost?.id ?? '' }, body: { decision: 'sent' } },
    'get /api/admin/audit': { query: '?limit=10' },
    'get /api/admin/dashboard': { query: '?range=7d&zone=Europe/Berlin&filter=browser:Firefox' },
    'get /api/admin/people': { query: '?state=subscribed' },
    'post /api/admin/people/search': { body: { search: 'ada@', segment: { language: 'de' } } },
    'post /api/admin/people/count': { body: { search: 'ada@' } },
    'post /api/admin/people.csv': { body: { search: 'ada@' } },
    'post /api/admin/people/labels': { body: { ids: [person], add: ['VIP'] } },
    'get /api/admin/people/{id}': { path: { id: person } },
    'post /api/admin/list-status': { body: { message: 'Soon' } },
    'post /api/admin/list-status/requests/erase': { body: { email: 'nobody@example.org' } },
    'post /api/admin/segments': { body: { name: 'German', conditions: { language: 'de' } } },
    'post /api/admin/segments/{id}': { path: { id: segment }, body: { name: 'Renamed' } },
    'post /api/admin/segments/{id}/remove': { path: { id: segment } },
    'post /api/admin/import': { type: 'text/csv', body: 'email\nbob@example.org\n' },
    'post /api/admin/imports/{id}/withdraw': { path: { id: 'none' } },
    'post /api/admin/campaigns': { body: { ...CAMPAIGN, revision: 'other' } },
    'post /api/admin/campaigns/audience': { body: CAMPAIGN.audience },
    'post /api/admin/campaigns/{id}': { path: { id: campaign }, body: { ...CAMPAIGN, replaces: [CAMPAIGN.revision] } },
    'get /api/admin/campaigns/{id}/check': { path: { id: campaign } },
    'get /api/admin/campaigns/{id}/preview': { path: { id: campaign }, query: '?as=text' },
    'post /api/admin/campaigns/{id}/test': { path: { id: campaign } },
    'post /api/admin/campaigns/{id}/state': { path: { id: campaign }, body: { to: 'sending' } },
    'post /api/admin/campaigns/{id}/follow-up': { path: { id: campaign }, body: { after_days: 7 } },
    'post /api/admin/campaigns/{id}/schedule': { path: { id: planned }, body: { at: tomorrow } },
    'post /api/admin/campaigns/{id}/duplicate': { path: { id: campaign } },
    'post /api/admin/campaigns/series': { body: { previous: step, days: 2 } },
    'post /api/admin/campaigns/series/state': { body: { to: 'paused' } },
    'post /api/admin/campaigns/{id}/timing': { path: { id: step }, body: { after: 'joined', days: 2 } },
    'post /api/admin/campaigns/{id}/remove': { path: { id: draft } },
    'post /api/admin/invites': { body: { after: null, count: 1 } },
    'post /api/admin/invites/{id}/withdraw': { path: { id: 'none' } },
    'post /api/admin/links/{id}/decide': { path: { id: person }, body: { credit: 'counted' } },
    'post /api/admin/webhooks': { body: ENDPOINT },
    'post /api/admin/webhooks/{id}': { path: { id: webhook.id }, body: { format: 'slack' } },
    'post /api/admin/webhooks/{id}/test': { path: { id: webhook.id } },
    'get /api/admin/webhooks/{id}/deliveries': { path: { id: webhook.id } },
    'post /api/admin/webhook-deliveries/resend': { body: { id: deliveries[0]?.id } },
    'post /api/admin/webhooks/{id}/remove': { path: { id: webhook.id } },
    'post /api/admin/api-keys': { body: { name: 'Nightly', scopes: ['people'] } },
    'get /api/admin/api-keys/current': { headers: { authorization: `Bearer ${secret}` } },
    'post /api/admin/api-keys/{id}/revoke': { path: { id: key.id } },
    'post /api/admin/mcp': {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { authorization: `Bearer ${agent.secret}`, accept: 'application/json, text/event-stream' },
    },
    'post /api/admin/overview-links': { body: { name: 'Board' } },
    'post /api/admin/overview-links/{id}/revoke': { path: { id: link.id } },
    'post /api/admin/team': { body: { email: 'other@example.org', role: 'editor' } },
    'post /api/admin/team/{id}': { path: { id: member }, body: { role: 'editor' } },
    'post /api/admin/team/{id}/remove': { path: { id: member } },
    'post /api/admin/people/resend': { body: { ids: [person] } },
    'post /api/admin/people/restore': { body: { ids: [person] } },
    'post /api/admin/people': { body: { email: 'zoe@example.org', consent_text: 'Asked me at the fair.' } },
    'post /api/admin/people/{id}/correct': { path: { id: person ?? '' }, body: { email: 'new@example.org' } },
    'post /api/admin/bulk/{id}/pause': { path: { id: '1' } },
    'post /api/admin/bulk/{id}/resume': { path: { id: '1' } },
    'post /api/admin/bulk/{id}/cancel': { path: { id: '1' } },
    'post /api/admin/bulk/label': { body: { ...ofEve, add: ['VIP'] } },
    'post /api/admin/bulk/invite': { body: ofEve },
    'post /api/admin/bulk/unsubscribe': { body: ofEve },
    'post /api/admin/bulk/forget': { body: ofEve },
    'post /api/admin/people/unsubscribe': { body: { ids: [person] } },
    'post /api/admin/people/forget': { body: { ids: [person] } },
    'post /api/status/erase': { body: own },
    'post /api/admin/sign-out': {},
    'post /api/admin/sign-out-everywhere': { headers: { cookie: second } },
    'get /metrics': { headers: bearer },
  };

  const operations = listOperations(await readDocument(app.fetch)).map(({ method, path }) => `${method} ${path}`);
  // What is read without parameters needs no example.
  const plain = operations.filter((name) => /^get [^{]+$/.test(name) && !(name in examples));
  expect([...plain, ...Object.keys(examples)].toSorted()).toEqual(operations.toSorted());
  for (const name of [...plain, ...Object.keys(examples)]) {
    const { path = {}, query = '', body = {}, type = 'application/json', headers } = examples[name] ?? {};
    const [method = '', template = ''] = name.split(' ');
    const url = `http://localhost:4173${template.replaceAll(/\{(\w+)\}/g, (_, part) => path[part] ?? '')}${query}`;
    const response = await app.fetch(
      new Request(url, {
        method,
        headers: {
          host: 'localhost:4173',
          origin: 'http://localhost:4173',
          ...(!headers && { cookie }),
          ...(method === 'post' && { 'content-type': type }),
          ...headers,
        },
        ...(method === 'post' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    expect([name, response.status, response.ok ? '' : await response.text()]).toEqual([name, expect.any(Number), '']);
  }
});
