import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import { API_SCOPES } from '../../app/access/api-keys.ts';
import { hashToken, newApiKey } from '../../app/access/secrets.ts';
import { NO_TALLIES } from '../../app/analytics/analytics.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { allRoutes } from '../../fixtures/all-routes.ts';
import type { DashboardResponse } from '../routing/schemas/analytics.ts';

const WITHOUT_SESSION = [
  'POST /api/admin/sign-in',
  'POST /api/admin/session',
  'POST /api/admin/passkey-sign-in/options',
  'POST /api/admin/passkey-sign-in',
];
const adminRoutes = () =>
  allRoutes().filter((route) => route.includes(' /api/admin/') && !WITHOUT_SESSION.includes(route));

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

  it('refuses API keys with all scopes, except routes that a scope allows', async () => {
    const { request, store } = adminHarness();
    const secret = newApiKey();
    await store.apiKeys.add({ hash: hashToken(secret), name: 'All', scopes: API_SCOPES });
    const served: string[] = [];
    for (const route of adminRoutes()) {
      const [method, path = ''] = route.split(' ');
      const response = await request(method === 'GET' ? 'GET' : 'POST', path.replace('/api', '').replace(':id', '1'), {
        headers: { authorization: `Bearer ${secret}` },
        body: { ids: ['1'] },
      });
      if (response.status !== 403) served.push(route);
    }
    expect(served.toSorted()).toEqual([
      'GET /api/admin/api-keys/current',
      'GET /api/admin/bulk',
      'GET /api/admin/campaigns',
      'GET /api/admin/campaigns/series',
      'GET /api/admin/dashboard',
      'GET /api/admin/first-steps',
      'GET /api/admin/list',
      'GET /api/admin/list-status',
      'GET /api/admin/list-status/requests',
      'GET /api/admin/list-status/requests.csv',
      'GET /api/admin/people',
      'GET /api/admin/people.csv',
      'GET /api/admin/people/:id',
      'GET /api/admin/people/count',
      'GET /api/admin/people/labels',
      'GET /api/admin/people/sources',
      'POST /api/admin/bulk/invite',
      'POST /api/admin/bulk/label',
      'POST /api/admin/bulk/unsubscribe',
      'POST /api/admin/campaigns',
      'POST /api/admin/campaigns/:id',
      'POST /api/admin/campaigns/:id/duplicate',
      'POST /api/admin/campaigns/:id/timing',
      'POST /api/admin/campaigns/audience',
      'POST /api/admin/campaigns/series',
      'POST /api/admin/invites',
      'POST /api/admin/list-status',
      'POST /api/admin/mcp',
      'POST /api/admin/people',
      'POST /api/admin/people.csv',
      'POST /api/admin/people/:id/correct',
      'POST /api/admin/people/count',
      'POST /api/admin/people/labels',
      'POST /api/admin/people/search',
      'POST /api/admin/people/unsubscribe',
    ]);
    const { length: refused } = (await store.admin.audit(1_000)).filter(({ action }) => action === 'api-key-refused');
    expect(refused).toBe(adminRoutes().length - served.length);
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

describe('robots', () => {
  it('are counted, and their sessions are not stored', async () => {
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
});

const PAGE = new Map([['identity', { bytes: new TextEncoder().encode('<!doctype html>'), etag: '"1"' }]] as const);
