import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import { API_SCOPES, KEY_SCOPES } from '../../app/access/api-keys.ts';
import { ROLES } from '../../app/access/roles.ts';
import { hashToken, newApiKey } from '../../app/access/secrets.ts';
import { NO_TALLIES } from '../../app/analytics/analytics.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { allRoutes } from '../../fixtures/all-routes.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import type { DashboardResponse } from '../routing/schemas/analytics.ts';

const WITHOUT_SESSION = [
  'POST /api/admin/sign-in',
  'POST /api/admin/session',
  'POST /api/admin/passkey-sign-in/options',
  'POST /api/admin/passkey-sign-in',
];
const adminRoutes = () =>
  allRoutes().filter((route) => route.includes(' /api/admin/') && !WITHOUT_SESSION.includes(route));

/** Who may call a route, other than admins: roles and the scopes of keys. */
const MAY_CALL = {
  'GET /api-keys/current': ['viewer', 'editor', ...API_SCOPES],
  'GET /bulk': ['editor', 'people', 'people:write', 'invites'],
  'GET /campaigns': ['editor', 'campaigns:draft'],
  'GET /campaigns/:id/check': ['editor'],
  'GET /campaigns/:id/preview': ['editor'],
  'GET /campaigns/series': ['editor', 'campaigns:draft'],
  'GET /dashboard': ['viewer', 'editor', 'analytics', 'overview'],
  'GET /first-steps': ['analytics'],
  'GET /imports': ['editor'],
  'GET /list': ['viewer', 'editor', 'analytics', 'invites'],
  'GET /list-status': ['list'],
  'GET /list-status/requests': ['editor', 'people'],
  'GET /list-status/requests.csv': ['people'],
  'GET /passkeys': ['viewer', 'editor'],
  'GET /people': ['editor', 'people'],
  'GET /people.csv': ['people'],
  'GET /people/:id': ['editor', 'people'],
  'GET /people/count': ['editor', 'people'],
  'GET /people/labels': ['editor', 'people'],
  'GET /people/sources': ['editor', 'people'],
  'GET /segments': ['editor'],
  'GET /session': ['viewer', 'editor'],
  'GET /sessions': ['viewer', 'editor'],
  'POST /bulk/invite': ['invites'],
  'POST /bulk/label': ['people:write'],
  'POST /bulk/unsubscribe': ['people:write'],
  'POST /campaigns': ['editor', 'campaigns:draft'],
  'POST /campaigns/:id': ['editor', 'campaigns:draft'],
  'POST /campaigns/:id/duplicate': ['editor', 'campaigns:draft'],
  'POST /campaigns/:id/follow-up': ['editor'],
  'POST /campaigns/:id/remove': ['editor'],
  'POST /campaigns/:id/timing': ['editor', 'campaigns:draft'],
  'POST /campaigns/audience': ['editor', 'campaigns:draft'],
  'POST /campaigns/series': ['editor', 'campaigns:draft'],
  'POST /invites': ['invites'],
  'POST /list-status': ['list'],
  'POST /mcp': API_SCOPES,
  'POST /passkeys': ['viewer', 'editor'],
  'POST /passkeys/:id': ['viewer', 'editor'],
  'POST /passkeys/:id/remove': ['viewer', 'editor'],
  'POST /passkeys/options': ['viewer', 'editor'],
  'POST /people': ['people:add'],
  'POST /people.csv': ['people'],
  'POST /people/:id/correct': ['people:write'],
  'POST /people/count': ['editor', 'people'],
  'POST /people/labels': ['people:write'],
  'POST /people/search': ['editor', 'people'],
  'POST /people/unsubscribe': ['people:write'],
  'POST /segments': ['editor'],
  'POST /segments/:id': ['editor'],
  'POST /segments/:id/remove': ['editor'],
  'POST /sessions/revoke': ['viewer', 'editor'],
  'POST /settings': ['viewer', 'editor'],
};

describe('every admin route', () => {
  it('responds with 401 without a session, with a wrong one and with an ended one', async () => {
    const { request, signIn, clock } = adminHarness();
    const ended = await signIn();
    clock.now += 13 * 3_600_000;
    const routes = adminRoutes();
    expect(routes.length).toBeGreaterThan(18);
    for (const route of routes) {
      const [method, path = ''] = route.split(' ');
      for (const cookie of ['', 'early_access=x', `early_access=${'x'.repeat(43)}`, ended]) {
        const asked = path.replace('/api', '').replace(':id', '1');
        const response = await request(method === 'GET' ? 'GET' : 'POST', asked, { cookie, body: { ids: ['1'] } });
        expect([route, response.status]).toEqual([route, 401]);
        expect(response.headers.get('cache-control')).toBe('private, no-store');
        expect(await response.text()).not.toContain('@');
      }
    }
  });

  it('serves admins, and other roles and keys as far as they may, and tells others who may', async () => {
    const limit = { burst: 10_000, perMinute: 1 };
    const rateLimits = { adminRequests: limit, apiKeyRequests: limit, apiKeyWrites: limit };
    const { request, signIn, store } = adminHarness({ share: { showPlaces: true }, rateLimits });
    const mayCall = new Map<string, string[]>();
    /** Calls the routes, and returns what those said that refused. */
    async function callAll(caller: string, headers: Record<string, string>, routes = adminRoutes()) {
      const refusals: string[] = [];
      for (const route of routes) {
        const [method, path = ''] = route.replace('/api', '').split(' ');
        const options = { headers, body: { ids: ['1'] } };
        const response = await request(method === 'GET' ? 'GET' : 'POST', path.replace(':id', '1'), options);
        if (response.status === 403) refusals.push(await response.text());
        if ([401, 403].includes(response.status)) continue;
        const name = route.replace('/api/admin', '');
        mayCall.set(name, [...(mayCall.get(name) ?? []), caller]);
      }
      return refusals;
    }
    // A session that signs out calls no other route.
    const staying = adminRoutes().filter((route) => !/\/sign-out(-everywhere)?$/.test(route));
    for (const role of ROLES) {
      const email = `${role}@acme.example`;
      await store.team.invite({ email, role, invited_by: ADMIN_EMAIL });
      for (const text of await callAll(role, { cookie: await signIn(email) }, staying))
        expect(text).toMatch(new RegExp(`only [a-z ]*admins may do this, and your role is ${role}`));
    }
    for (const scope of KEY_SCOPES) {
      const secret = newApiKey();
      const { id } = await store.apiKeys.add({ hash: hashToken(secret), name: scope, scopes: [scope] });
      const refusals = await callAll(scope, { authorization: `Bearer ${secret}` });
      const audit = await store.admin.audit(10_000);
      const refused = audit.filter(({ action, session }) => action === 'api-key-refused' && session === id);
      expect([scope, refused.length]).toEqual([scope, refusals.length]);
    }
    const others = [...mayCall].map(
      ([route, callers]) => [route, callers.filter((caller) => caller !== 'admin')] as const,
    );
    expect(Object.fromEntries(others.filter(([, callers]) => callers.length > 0))).toEqual(MAY_CALL);
    const withoutAdmins = [...mayCall].flatMap(([route, callers]) => (callers.includes('admin') ? [] : route));
    expect(withoutAdmins).toEqual(['POST /mcp']);
  });
});

describe('GET /dashboard', () => {
  it('returns the figures of the range in the time zone, with the filter', async () => {
    const { request, signIn, store, clock } = adminHarness();
    for (const browser of ['Firefox', 'Firefox', 'Chrome'] as const) {
      await store.startSession(sessionOf({ session_start: clock.now, browser }));
    }
    await store.createSignup(signupOf());
    const cookie = await signIn();
    const read = async (query: string): Promise<DashboardResponse> => {
      const response = await request('GET', `/admin/dashboard?${query}`, { cookie });
      expect(response.status).toBe(200);
      return JSON.parse(await response.text());
    };
    const week = await read('range=7d&zone=Europe/Berlin');
    expect(week).toMatchObject({
      range: '7d',
      zone: 'Europe/Berlin',
      bucket: 'day',
      figures: { sessions: 3, signups: 1 },
    });
    expect(week.buckets).toHaveLength(7);
    expect(week.start).toBe(week.buckets[0]?.start);
    expect((await read('range=7d&filter=browser:Firefox')).figures.sessions).toBe(2);
    expect((await read('range=all')).figures).toMatchObject({ sessions: 3, signups: 1 });
  });

  it('refuses a range, a zone and a filter that it does not understand', async () => {
    const { request, signIn } = adminHarness();
    const cookie = await signIn();
    for (const query of [
      'range=1y',
      'range=custom',
      'range=custom&from=2026-02-01&to=2026-01-01',
      'range=custom&from=0001-01-01&to=9999-12-31',
      'range=7d&zone=Mars/Olympus',
      'range=7d&filter=color:red',
      'range=7d&filter=browser:Firefox&filter=browser:Chrome',
      `range=7d&filter=browser:${'x'.repeat(2_000)}`,
    ]) {
      const response = await request('GET', `/admin/dashboard?${query}`, { cookie });
      const refused = [query, 400, expect.stringContaining('"code":"invalid"')];
      expect([query, response.status, await response.text()]).toEqual(refused);
    }
  });
});

it('robots are counted, and their sessions are not stored', async () => {
  const { app, request, signIn, raw, store, clock } = adminHarness({
    site: {
      assets: new Map([['/', { contentType: 'text/html', cacheControl: '', isPage: true, variants: PAGE }]]),
      notFound: null,
      policy: { styleHashes: [], scriptHashes: [] },
      isBuilt: true,
    },
  });
  const count = vi.spyOn(store.analytics, 'addTallies');
  const user_agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  const session = sessionOf({ session_start: clock.now, user_agent });
  const started = await request('POST', '/sessions', { body: session });
  expect(started.status).toBe(204);
  for (const path of ['/', '/missing', '/'])
    await app.fetch(new Request(`http://localhost:4173${path}`, { headers: { 'user-agent': user_agent } }));
  await app.fetch(new Request('http://localhost:4173/', { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } }));
  await signIn();
  await app.stop(1_000);
  expect(raw.prepare('SELECT count(*) AS sessions FROM sessions').get()).toEqual({ sessions: 0 });
  // Together: many requests of crawlers cause few writes.
  expect(count.mock.calls).toEqual([[{ ...NO_TALLIES, robots: 3 }]]);
});

const PAGE = new Map([['identity', { bytes: new TextEncoder().encode('<!doctype html>'), etag: '"1"' }]] as const);
