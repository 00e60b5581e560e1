import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { ADMIN_EMAIL, ALLOWED_ORIGIN, appHarness } from '../../fixtures/app-harness.ts';
import { verifyProofOfWork } from '../../human/proof-of-work.ts';
import { verifyHcaptcha, verifyTurnstile } from '../../human/siteverify.ts';
import { pageHeaders } from './security-headers.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TINY = { burst: 1, perMinute: 1 };

/** One response of every kind, except the pages of a built site. */
const RESPONSES: readonly [string, number, () => Promise<Response>][] = [
  ['a signup', 201, () => appHarness().post('/api/signups', signupOf())],
  ['a session', 204, () => appHarness().post('/api/sessions', sessionOf())],
  ['the summary', 200, () => appHarness().post('/api/summary', { admin_email: ADMIN_EMAIL })],
  ['a wrong admin address', 403, () => appHarness().post('/api/summary', { admin_email: 'x@y.io' })],
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
  ['a wrong method for a page', 405, () => get('/', 'PUT')],
  ['a site that is not built', 503, () => get('/')],
  ['a health check', 200, () => get('/healthz')],
  ['a form', 201, () => appHarness().post('/api/signup-form', 'email=me%40example.org', { headers: FORM })],
  ['a refused form', 400, () => appHarness().post('/api/signup-form', 'email=x', { headers: FORM })],
  ['too many calls', 429, tooMany],
  ['a closed store', 503, () => afterClose('/api/signups')],
  ['a health check of a closed store', 503, () => afterClose('/healthz')],
];

async function get(path: string, method = 'GET'): Promise<Response> {
  return await appHarness().app.fetch(new Request(`http://localhost${path}`, { method }));
}

async function tooMany(): Promise<Response> {
  const { post } = appHarness({ rateLimits: { signups: TINY } });
  await post('/api/signups', signupOf());
  return post('/api/signups', signupOf());
}

async function afterClose(path: string): Promise<Response> {
  const { app, post, store } = appHarness();
  store.close();
  return path === '/healthz' ? await app.fetch(new Request(`http://localhost${path}`)) : post(path, signupOf());
}

it.each(RESPONSES)('%s has headers that prevent scripts and framing', async (_, status, request) => {
  const { status: actual, headers } = await request();
  expect(actual).toBe(status);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  for (const header of ['server', 'x-powered-by']) expect(headers.has(header)).toBe(false);
  if (headers.has('content-type')) expect(headers.get('content-type')).toMatch(/charset=utf-8|^application\/json$/i);
});

it('every response of a site on https has HSTS, and every page isolates itself', async () => {
  const publicUrl = new URL('https://www.example.com');
  const invites = { url: new URL('https://app.example/join'), key: 'k'.repeat(32) };
  const hosted = { hostedForms: { joinPage: true }, statusPage: true, invites };
  const { app } = appHarness({ publicUrl, ...hosted });
  const paths = [
    '/join',
    '/confirm',
    '/unsubscribe?token=x',
    '/invite',
    '/status',
    '/',
    '/healthz',
    '/api/nothing',
    '/robots.txt',
  ];
  const posts = ['/api/signup-form', '/api/signups', '/api/unsubscribe?token=x'];
  const headers = { ...FORM, origin: publicUrl.origin };
  const post = { method: 'POST', headers, body: 'email=me%40example.org' };
  const requests = [...paths.map((path) => [path, {}] as const), ...posts.map((path) => [path, post] as const)];
  for (const [path, init] of requests) {
    const response = await app.fetch(new Request(new URL(path, publicUrl), init));
    expect([path, response.headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    if (isPage) expect([path, response.headers.get('cross-origin-opener-policy')]).toEqual([path, 'same-origin']);
  }
});

it('a page that a sandboxed frame may open in a tab does not isolate itself, because browsers would refuse it', async () => {
  const { app } = appHarness({ hostedForms: { joinPage: true, keys: { shop: 'k'.repeat(24) } } });
  for (const path of ['/join', '/form']) {
    const response = await app.fetch(new Request(`http://localhost${path}`));
    expect([path, response.status, response.headers.has('cross-origin-opener-policy')]).toEqual([path, 200, false]);
  }
});

it.each([
  [verifyTurnstile({ secret: 's' }), ['script-src', 'frame-src'], 'https://challenges.cloudflare.com'],
  [verifyHcaptcha({ secret: 's' }), ['script-src', 'style-src', 'connect-src', 'frame-src'], 'https://*.hcaptcha.com'],
  [verifyProofOfWork({ key: 'k'.repeat(32) }), [], 'https:'],
])('pages may load what their human check needs, and nothing else (%#)', ({ pageSources }, directives, origin) => {
  const none = { styleHashes: [], scriptHashes: [] };
  const policy = pageHeaders(none, pageSources)['Content-Security-Policy'] ?? '';
  const loaded = policy.split('; ').filter((directive) => directive.includes(origin));
  expect(loaded.map((directive) => directive.split(' ')[0])).toEqual(directives);
  expect(loaded.filter((directive) => !directive.includes(" 'self'"))).toEqual([]);
});
