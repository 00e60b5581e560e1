import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { ALLOWED_ORIGIN, appHarness, OWNER } from '../fixtures/app-harness.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TINY = { burst: 1, perMinute: 1 };

/** One answer of every kind but the built site's own. */
const ANSWERS: readonly [string, number, () => Promise<Response>][] = [
  ['a sign-up', 201, () => appHarness().post('/api/signups', signupOf())],
  ['a session', 204, () => appHarness().post('/api/sessions', sessionOf())],
  ['the numbers', 200, () => appHarness().post('/api/summary', { admin_email: OWNER })],
  ['a refused owner', 403, () => appHarness().post('/api/summary', { admin_email: 'x@y.io' })],
  ['a foreign page', 403, () => appHarness().post('/api/signups', {}, { headers: { origin: 'https://evil.test' } })],
  [
    'an allowed page',
    201,
    () => appHarness().post('/api/signups', signupOf(), { headers: { origin: ALLOWED_ORIGIN } }),
  ],
  ['a malformed record', 400, () => appHarness().post('/api/signups', '{}')],
  ['an unknown route', 404, () => appHarness().post('/api/nothing', '{}')],
  ['a preflight', 204, () => get('/api/signups', 'OPTIONS')],
  ['a wrong method', 405, () => get('/api/signups')],
  ['a wrong method of a page', 405, () => get('/', 'PUT')],
  ['a site that is not built', 503, () => get('/')],
  ['a health check', 200, () => get('/healthz')],
  ['a form', 201, () => appHarness().post('/api/signup-form', 'email=me%40example.org', { headers: FORM })],
  ['a refused form', 400, () => appHarness().post('/api/signup-form', 'email=x', { headers: FORM })],
  ['too many calls', 429, tooMany],
  ['a store that is gone', 503, () => gone('/api/signups')],
  ['a health check of a store that is gone', 503, () => gone('/healthz')],
];

async function get(path: string, method = 'GET'): Promise<Response> {
  return await appHarness().app.fetch(new Request(`http://localhost${path}`, { method }));
}

async function tooMany(): Promise<Response> {
  const { post } = appHarness({ rateLimits: { signups: TINY } });
  await post('/api/signups', signupOf());
  return post('/api/signups', signupOf());
}

async function gone(path: string): Promise<Response> {
  const { app, post, store } = appHarness();
  store.close();
  return path === '/healthz' ? await app.fetch(new Request(`http://localhost${path}`)) : post(path, signupOf());
}

it.each(ANSWERS)('%s is answered with headers that let nothing in it run', async (_, status, answerOf) => {
  const { status: actual, headers } = await answerOf();
  expect(actual).toBe(status);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  for (const telling of ['server', 'x-powered-by']) expect(headers.has(telling)).toBe(false);
  if (headers.has('content-type')) expect(headers.get('content-type')).toMatch(/charset=utf-8|^application\/json$/i);
});
