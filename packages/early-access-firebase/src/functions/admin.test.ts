import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { type AdminRequest, ask as askAdmin, deliverSignInRequests, signIn } from '../fixtures/admin-session.ts';
import { ADMIN, harness } from '../fixtures/harness.ts';
import { SIGN_IN_REQUESTS } from './sign-in-requests.ts';

const b = harness();
const ask = (path: string, request?: AdminRequest) => askAdmin(b, path, request);

async function requests() {
  return (await b.db.collection(SIGN_IN_REQUESTS).get()).docs;
}

describe('signing in on Firebase', () => {
  it('stores the same for every address, and mails a link to the admin only, once', async () => {
    for (const email of ['eve@example.org', ADMIN]) {
      const response = await ask('/api/admin/sign-in', { body: { email } });
      expect([response.status, await response.text()]).toEqual([202, '']);
      // Hosting removes cookies of responses that are not private.
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('set-cookie')).toMatch(/^early_access_asked=1; .*Path=\/admin/);
    }
    expect((await requests()).map((document) => Object.keys(document.data()).sort())).toEqual(
      Array(2).fill(['email', 'expires_at']),
    );
    expect(b.mailServer.recipients).toEqual([]);
    await deliverSignInRequests(b);
    expect(b.mailServer.recipients).toEqual([ADMIN]);
    expect(await requests()).toEqual([]);
  });

  it('sends no link for a request of more than 15 minutes ago', async () => {
    await ask('/api/admin/sign-in', { body: { email: ADMIN } });
    b.clock.now += 15 * 60_000;
    await deliverSignInRequests(b);
    expect(b.mailServer.recipients).toEqual([]);
  });

  it('opens a session in the cookie that Hosting passes on, until the admin signs out', async () => {
    const cookie = await signIn(b);
    expect(cookie).toMatch(/^__session=[\w-]{43}$/);
    const session = await ask('/api/admin/session', { cookie });
    expect([session.status, session.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await session.json()).toMatchObject({ email: ADMIN });
    expect((await ask('/api/admin/sign-out', { cookie, body: {} })).status).toBe(204);
    expect((await ask('/api/admin/session', { cookie })).status).toBe(401);
  });

  it('is possible for each of several admins', async () => {
    await b.deploy({ adminEmail: `ada@acme.example,${ADMIN}` });
    expect((await ask('/api/admin/session', { cookie: await signIn(b) })).status).toBe(200);
  });
});

it('shows the figures and the list, exports it, and forgets a person', async () => {
  await b.signUp('ada@example.org');
  await b.signUp('bob@example.org');
  const cookie = await signIn(b);
  const json = async (path: string, body?: unknown) => JSON.parse(await (await ask(path, { cookie, body })).text());
  expect((await fetch(b.functions.functionUrl('roll-up-analytics'), { method: 'POST' })).status).toBe(200);

  const dashboard = await json('/api/admin/dashboard?range=7d&zone=Europe/Berlin');
  expect(dashboard).toMatchObject({ figures: { signups: 2 }, progress: 1, tallies: null });
  const page: { people: { id: string }[] } = JSON.parse(
    await (await ask('/api/admin/people?search=ada', { cookie })).text(),
  );
  expect(page).toMatchObject({ people: [{ email: 'ada@example.org' }], next: null });
  const csv = await (await ask('/api/admin/people.csv', { cookie })).text();
  expect(csv).toContain('ada@example.org');

  const ids = page.people.map(({ id }) => id);
  expect(JSON.stringify([page, csv])).not.toContain(signupId('ada@example.org'));
  expect(await json('/api/admin/people/forget', { ids })).toEqual({ results: [{ id: ids[0], result: 'done' }] });
  expect(await json('/api/admin/people/forget', { ids })).toEqual({ results: [{ id: ids[0], result: 'gone' }] });
  expect(await json('/api/admin/dashboard?range=7d&zone=Europe/Berlin')).toMatchObject({ figures: { signups: 1 } });
  expect(await json('/api/admin/health')).toMatchObject({ store: 'firestore', retention_days: 395 });
  expect(await json('/api/brand')).toMatchObject({ name: 'Acme' });
});

it('says that Firestore has no segments, and refuses a condition rather than to list more people', async () => {
  const cookie = await signIn(b);
  const segments = await ask('/api/admin/segments', { cookie });
  expect(await segments.json()).toEqual({ segments: [], is_available: false });
  const people = await ask(`/api/admin/people?${new URLSearchParams({ segment: '{"language":"de"}' })}`, { cookie });
  expect([people.status, await people.text()]).toEqual([400, expect.stringContaining('this database has no segments')]);
});

it('serves an API key what its scope allows, until it is revoked', async () => {
  await b.signUp('ada@example.org');
  const cookie = await signIn(b);
  const made = await ask('/api/admin/api-keys', { cookie, body: { name: 'Reports', scopes: ['analytics'] } });
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
  expect(
    JSON.stringify([b.log, await b.database.list('api_keys'), await b.database.list('admin_audit')]),
  ).not.toContain(key);
});

it('mails the last week’s figures by the schedule, once, to the admin who asked for it', async () => {
  const cookie = await signIn(b);
  await ask('/api/admin/settings', { cookie, body: { weekly_email: true } });
  for (let times = 0; times < 2; times += 1) {
    expect((await fetch(b.functions.functionUrl('sweep-mails'), { method: 'POST' })).status).toBe(200);
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
