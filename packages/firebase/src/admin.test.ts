import { signupId } from 'early-access-server/firestore';
import { describe, expect, it } from 'vitest';
import { ADMIN, harness, PROJECT } from './fixtures/harness.ts';
import { createdEvent } from './local/created-event.ts';
import { SIGN_IN_REQUESTS } from './sign-in-requests.ts';

const b = harness();
const ORIGIN = 'https://www.acme.example';

/** Sends a request as the dashboard does through Hosting. */
function ask(
  path: string,
  init: { readonly body?: unknown; readonly cookie?: string; readonly key?: string } = {},
): Promise<Response> {
  const { body, cookie, key } = init;
  return fetch(b.functions.urlOf('admin') + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      origin: ORIGIN,
      'x-forwarded-host': 'www.acme.example',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function requests() {
  return (await b.db.collection(SIGN_IN_REQUESTS).get()).docs;
}

/** Delivers the event of each request, twice, as Eventarc may. */
async function deliverRequests(): Promise<void> {
  for (const { id } of await requests()) {
    const path = `${SIGN_IN_REQUESTS}/${id}`;
    const fields = b.fake.store.get(path)?.fields ?? {};
    for (let times = 0; times < 2; times += 1) {
      const response = await fetch(b.functions.urlOf('mail-sign-in-link'), {
        method: 'POST',
        headers: { 'content-type': 'application/cloudevents+json' },
        body: JSON.stringify(createdEvent({ projectId: PROJECT, path, fields })),
      });
      expect(response.status).toBe(204);
    }
  }
}

async function signIn(): Promise<string> {
  await ask('/api/admin/sign-in', { body: { email: ADMIN } });
  await deliverRequests();
  const { text = '' } = await b.mailServer.waitForMail(ADMIN);
  const token = /https:\/\/www\.acme\.example\/admin#token=([\w-]+)/.exec(text)?.[1];
  const response = await ask('/api/admin/session', { body: { token } });
  expect(response.status).toBe(204);
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

describe('signing in on Firebase', () => {
  it('stores the same for every address, and mails a link to the admin only, once', async () => {
    for (const email of ['eve@example.org', ADMIN]) {
      const response = await ask('/api/admin/sign-in', { body: { email } });
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    expect((await requests()).map((document) => Object.keys(document.data()).sort())).toEqual(
      Array(2).fill(['email', 'expires_at']),
    );
    expect(b.mailServer.recipients).toEqual([]);
    await deliverRequests();
    expect(b.mailServer.recipients).toEqual([ADMIN]);
    expect(await requests()).toEqual([]);
  });

  it('sends no link for a request of more than 15 minutes ago', async () => {
    await ask('/api/admin/sign-in', { body: { email: ADMIN } });
    b.clock.now += 15 * 60_000;
    await deliverRequests();
    expect(b.mailServer.recipients).toEqual([]);
  });

  it('opens a session in the cookie that Hosting passes on, until the admin signs out', async () => {
    const cookie = await signIn();
    expect(cookie).toMatch(/^__session=[\w-]{43}$/);
    const session = await ask('/api/admin/session', { cookie });
    expect([session.status, session.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await session.json()).toMatchObject({ email: ADMIN });
    expect((await ask('/api/admin/sign-out', { cookie, body: {} })).status).toBe(204);
    expect((await ask('/api/admin/session', { cookie })).status).toBe(401);
  });

  it('is possible for each of several admins', async () => {
    await b.deploy({ adminEmail: `ada@acme.example,${ADMIN}` });
    expect((await ask('/api/admin/session', { cookie: await signIn() })).status).toBe(200);
  });
});

it('shows the figures and the list, exports it, and forgets a person', async () => {
  await b.signUp('ada@example.org');
  await b.signUp('bob@example.org');
  const cookie = await signIn();
  const json = async (path: string, body?: unknown) => (await ask(path, { cookie, body })).json();
  expect((await fetch(b.functions.urlOf('roll-up-analytics'), { method: 'POST' })).status).toBe(200);

  const dashboard = await json('/api/admin/dashboard?range=7d&zone=Europe/Berlin');
  expect(dashboard).toMatchObject({ figures: { signups: 2 }, progress: 1, tallies: null });
  const page = await json('/api/admin/people?search=ada');
  expect(page).toMatchObject({ people: [{ email: 'ada@example.org' }], next: null });
  const csv = await (await ask('/api/admin/people.csv', { cookie })).text();
  expect(csv).toContain('ada@example.org');

  const ids = [signupId('ada@example.org')];
  expect(await json('/api/admin/people/forget', { ids })).toEqual({ results: [{ id: ids[0], result: 'done' }] });
  expect(await json('/api/admin/people/forget', { ids })).toEqual({ results: [{ id: ids[0], result: 'gone' }] });
  expect(await json('/api/admin/dashboard?range=7d&zone=Europe/Berlin')).toMatchObject({ figures: { signups: 1 } });
  expect(await json('/api/admin/health')).toMatchObject({ store: 'firestore', retention_days: 395 });
  expect(await json('/api/brand')).toMatchObject({ name: 'Acme' });
});

it('serves an API key what its scope allows, until it is revoked', async () => {
  await b.signUp('ada@example.org');
  const cookie = await signIn();
  const made = await ask('/api/admin/api-keys', { cookie, body: { name: 'Reports', scopes: ['numbers'] } });
  const { api_key, secret: key }: { api_key: { id: string }; secret: string } = JSON.parse(await made.text());
  const list = await ask('/api/admin/list', { key });
  expect([list.status, await list.json()]).toMatchObject([200, { counts: { subscribed: 1 } }]);
  const people = await ask('/api/admin/people', { key });
  expect([people.status, await people.text()]).toEqual([403, expect.not.stringContaining('ada@')]);
  expect((await ask(`/api/admin/api-keys/${api_key.id}/revoke`, { cookie, body: {} })).status).toBe(204);
  expect((await ask('/api/admin/list', { key })).status).toBe(401);
  const audit = await ask('/api/admin/audit', { cookie });
  const { entries }: { entries: unknown[] } = JSON.parse(await audit.text());
  expect(entries.slice(0, 4)).toMatchObject([
    { action: 'revoke-api-key' },
    { action: 'api-key-refused', api_key: 'Reports', route: 'GET /api/admin/people' },
    { action: 'api-key-used', api_key: 'Reports', route: 'GET /api/admin/list' },
    { action: 'add-api-key' },
  ]);
  expect(JSON.stringify([b.log, b.fake.store.list('api_keys'), b.fake.store.list('admin_audit')])).not.toContain(key);
});

it('mails the last week’s figures by the schedule, once, to the admin who asked for it', async () => {
  const cookie = await signIn();
  await ask('/api/admin/settings', { cookie, body: { weekly_email: true } });
  for (let times = 0; times < 2; times += 1) {
    expect((await fetch(b.functions.urlOf('sweep-mails'), { method: 'POST' })).status).toBe(200);
  }
  // The first email is the link.
  expect(b.mailServer.recipients).toEqual([ADMIN, ADMIN]);
});

describe('the function', () => {
  it.each(['/', '/api/signups', '/api/sessions', '/api/administrator', '/healthz'])('has no %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('responds with 503 if a setting cannot be used, and logs which', async () => {
    await b.deploy({ publicUrl: 'acme' });
    const response = await ask('/api/admin/session');
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'unavailable' } }]);
    expect(b.log).toMatchObject([{ event: 'admin-failed', fields: { reason: expect.stringContaining('PUBLIC_URL') } }]);
  });
});
