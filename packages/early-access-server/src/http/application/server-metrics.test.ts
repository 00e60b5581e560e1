import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc } from '@early-access-kit/testkit/fast-check';
import { signupOf } from '@early-access-kit/testkit/records';
import { afterEach, expect, it, vi } from 'vitest';
import type { DeliveryResult } from '../../app/ports/mail-transport.ts';
import { SIGNUP_REFUSALS } from '../../app/signup/signup-refusals.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { allRoutes } from '../../fixtures/all-routes.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const KEY = 'm'.repeat(40);
const BEARER = { authorization: `Bearer ${KEY}` };
const SOURCE = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };

/** An application with metrics. `sample` is the value of a metric with its labels as they are written. */
function measured(options: Parameters<typeof adminHarness>[0] = {}) {
  const harness = adminHarness({ metrics: { key: KEY }, ...options });
  const get = async (path: string, headers: Record<string, string> = {}) =>
    harness.app.fetch(new Request(`http://localhost:4173${path}`, { headers }), SOURCE);
  async function scrape() {
    const response = await get('/metrics', BEARER);
    expect(response.status).toBe(200);
    const text = await response.text();
    const samples = new Map(
      text.split('\n').flatMap((line) => {
        const [, name, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, Number(value)] as const];
      }),
    );
    return { text, samples, sample: (name: string) => samples.get(`early_access_${name}`) };
  }
  return { ...harness, get, scrape };
}

afterEach(() => vi.doUnmock('prom-client'));

it('is not there without a key, and closed without the right one', async () => {
  const off = adminHarness();
  expect(off.app.handles('/metrics')).toBe(false);
  expect((await off.app.fetch(new Request('http://localhost:4173/metrics', { headers: BEARER }))).status).toBe(404);
  const { app, get } = measured({ rateLimits: { adminRequests: { burst: 2, perMinute: 1 } } });
  expect(app.handles('/metrics')).toBe(true);
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', { authorization: `Bearer ${KEY}x` })).status).toBe(401);
  expect((await get('/metrics', { authorization: 'Bearer wrong' })).status).toBe(429);
  // Strangers behind the same address cannot keep the monitoring out.
  const served = await get('/metrics', BEARER);
  expect([served.status, served.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=/),
  ]);
  expect(served.headers.get('cache-control')).toBe('private, no-store');
  expect(() => adminHarness({ metrics: { key: 'short' } })).toThrow(/METRICS_KEY.*at least 32/);
});

it('counts requests, emails and events, and says what waits and how large the database is', async () => {
  const results: DeliveryResult[] = [
    { outcome: 'sent' },
    { outcome: 'unknown', reason: 'cut off' },
    { outcome: 'refused', refusal: 'later', reason: '451' },
  ];
  const { app, store, request, scrape, clock, get } = measured({
    deliver: async () => results.pop() ?? { outcome: 'sent' },
    webhooks: { transport: { post: async () => ({ delivered: false, reason: '500' }), close: () => {} } },
  });
  await store.webhooks.add({
    ...{ url: 'https://hooks.example.com/', secret: 'whsec_c2VjcmV0', format: 'json', events: ['signup.created'] },
  });
  for (const name of ['ada', 'bob', 'eve']) {
    expect((await request('POST', '/signups', { body: signupOf({ email: `${name}@example.org` }) })).ok).toBe(true);
  }
  clock.now += 20_000;
  const before = await scrape();
  expect(before.sample('mail_messages{state="queued"}')).toBe(3);
  expect([before.sample('mail_lag_seconds'), before.sample('webhook_lag_seconds')]).toEqual([20, 20]);
  expect(before.sample('webhook_deliveries{state="queued"}')).toBe(3);
  await app.runJobs();
  expect((await request('POST', '/signups', { body: {} })).status).toBe(400);
  expect((await get('/nothing')).status).toBe(404);
  const { sample } = await scrape();
  expect(sample('http_requests_total{method="POST",route="/api/signups",status="2xx"}')).toBe(3);
  expect(sample('http_requests_total{method="POST",route="/api/signups",status="4xx"}')).toBe(1);
  expect(sample('http_requests_total{method="GET",route="*",status="4xx"}')).toBe(1);
  expect(sample('http_response_seconds_count{route="/api/signups"}')).toBe(1);
  for (const outcome of ['sent', 'unknown', 'deferred']) {
    expect(sample(`mail_attempts_total{outcome="${outcome}"}`)).toBe(1);
  }
  // Some are attempted together before the endpoint pauses.
  expect(sample('webhook_attempts_total{outcome="deferred"}')).toBeGreaterThan(0);
  expect(sample('mail_messages{state="unknown"}')).toBe(1);
  expect([sample('mail_paused'), sample('database_up')]).toEqual([0, 1]);
  expect(sample('database_bytes')).toBeGreaterThan(10_000);
  // There is no back-up yet.
  expect(sample('last_backup_timestamp_seconds')).toBeUndefined();
});

it('says that the database does not respond, and nothing that it does not know', async () => {
  const { store, scrape, log } = measured();
  expect((await scrape()).sample('mail_lag_seconds')).toBe(0);
  vi.spyOn(store, 'ping').mockRejectedValue(new Error('disk full'));
  const { sample, text } = await scrape();
  expect(sample('database_up')).toBe(0);
  for (const name of ['database_bytes', 'mail_lag_seconds', 'mail_paused']) expect(sample(name)).toBeUndefined();
  expect(text).not.toMatch(/state="/);
  expect(log).toContainEqual(expect.objectContaining({ event: 'metrics-without-database' }));
});

it('has a few label values, whatever is requested, and none that a caller chose', async () => {
  const { app, scrape } = measured({ rateLimits: { adminRequests: { burst: 10, perMinute: 1 } } });
  const path = fc.oneof(
    fc.webPath(),
    fc
      .constantFrom(...allRoutes().map((route) => route.split(' ')[1] ?? ''))
      .map((one) => one.replace(/:\w+/, 'ada@example.org')),
  );
  const method = fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'PROPFIND');
  await fc.assert(
    fc.asyncProperty(path, method, async (asked, method) => {
      await app.fetch(new Request(`http://localhost:4173${asked}`, { method }), SOURCE);
    }),
    { numRuns: 300 },
  );
  const { text } = await scrape();
  expect(text).not.toContain('@');
  const patterns = new Set(['*', '/metrics', ...allRoutes().map((route) => route.split(' ')[1])]);
  for (const [, name = '', value = ''] of text.matchAll(/[{,](\w+)="([^"]*)"/g)) {
    if (name === 'route') expect(patterns).toContain(value);
    if (name === 'method') expect(['GET', 'POST']).toContain(value);
    if (name === 'status') expect(['2xx', '3xx', '4xx', '5xx']).toContain(value);
    if (name === 'reason') expect(SIGNUP_REFUSALS).toContain(value);
    if (name === 'limit') expect(value).toMatch(/^[a-zA-Z]+$/);
  }
});

it('has each metric that the dashboard of Grafana and the guide name, and is documented', async () => {
  const { app, request, scrape } = measured({ webhooks: { allowLocal: true } });
  await request('POST', '/signups', { body: signupOf() });
  await app.runJobs();
  const exported = new Set(
    [...(await scrape()).text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const namedIn = (file: string) =>
    new Set(readFileSync(join(ROOT, file), 'utf8').match(/\b(early_access|nodejs|process)_[a-z_]*[a-z0-9]+\b/g));
  const [shown, documented] = [namedIn('deploy/grafana-dashboard.json'), namedIn('docs/operate.md')];
  expect(shown.size).toBeGreaterThan(15);
  expect([...shown].filter((name) => !exported.has(name))).toEqual([]);
  const own = [...exported].filter((name) => /^early_access_/.test(name) && !/_(bucket|count|sum)$/.test(name));
  expect([...documented].filter((name) => name.startsWith('early_access_')).toSorted()).toEqual(own.toSorted());
});

it('says what to install if the library is missing, and everything else works', async () => {
  vi.doMock('prom-client', () => {
    throw new Error('Cannot find package');
  });
  const { get, log } = measured();
  const response = await get('/metrics', BEARER);
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('install prom-client')]);
  expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'metrics-missing' }));
  expect((await get('/healthz')).status).toBe(200);
});
