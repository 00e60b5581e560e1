import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { CAMPAIGN_FIELDS, MAX_BODY_BYTES, MAX_LENGTH } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RATE_LIMITS } from '../../app/access/rate-limits.ts';
import { ADMIN_EMAIL, ALLOWED_ORIGIN, appHarness, UNLIMITED_RATE_LIMITS } from '../../fixtures/app-harness.ts';
import { readSessions, readSignups } from '../../fixtures/read-back.ts';

describe('POST /api/signups', () => {
  it('accepts the longest valid signup in three-byte characters', async () => {
    const { post } = appHarness();
    const [url, utm] = ['あ'.repeat(MAX_LENGTH.page_url), 'あ'.repeat(MAX_LENGTH.utm)];
    const longest = signupOf({
      source: 'あ'.repeat(MAX_LENGTH.source),
      referrer: url,
      page_url: url,
      ...Object.fromEntries(CAMPAIGN_FIELDS.map((field) => [field, utm])),
    });
    expect((await post('/api/signups', longest)).status).toBe(201);
  });

  it('wakes the mail worker after a new signup and not after a duplicate', async () => {
    const { post, wakes } = appHarness();
    const signup = signupOf();
    await post('/api/signups', signup);
    expect(wakes.count).toBe(1);
    await post('/api/signups', signupOf({ email: signup.email }));
    expect(wakes.count).toBe(1);
  });

  it('sends no-store, also for Hosting, and nosniff', async () => {
    const { post } = appHarness();
    const { headers } = await post('/api/signups', signupOf());
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('returns 503 with Retry-After and logs no address if the store fails', async () => {
    const { post, store, log } = appHarness();
    store.close();
    const response = await post('/api/signups', signupOf({ email: 'private@example.org' }));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } });
    expect(log).toMatchObject([
      { level: 'error', event: 'request-failed', fields: { route: '/api/signups', status: 503 } },
    ]);
    expect(JSON.stringify(log)).not.toContain('private');
  });
});

describe('POST /api/welcome-email', () => {
  it('returns the same whether the address is signed up or not, and wakes the mail worker', async () => {
    const { post, wakes } = appHarness();
    const signup = signupOf();
    await post('/api/signups', signup);
    for (const email of [signup.email, 'unknown@example.org']) {
      const response = await post('/api/welcome-email', { email });
      expect([response.status, await response.text()]).toEqual([202, '']);
      expect(response.headers.get('content-length')).toBe('0');
    }
    expect(wakes.count).toBe(3);
  });

  it('limits each address separately from signups, so that the person can still sign up', async () => {
    const { post } = appHarness({ rateLimits: { welcomeEmails: UNLIMITED_RATE_LIMITS.welcomeEmails } });
    const email = 'me@example.org';
    const { burst } = DEFAULT_RATE_LIMITS.welcomeEmailsPerMailbox;
    for (let call = 0; call < burst; call += 1) expect((await post('/api/welcome-email', { email })).status).toBe(202);
    expect((await post('/api/welcome-email', { email: 'ME@example.org' })).status).toBe(429);
    expect((await post('/api/signups', signupOf({ email }))).status).toBe(201);
  });
});

describe('POST /api/sessions', () => {
  it('accepts a burst of 300 writes per client, starts and updates together', async () => {
    const { post, raw } = appHarness();
    const session = sessionOf();
    expect((await post('/api/sessions', session)).status).toBe(204);
    const update = updateOf(session, { page_count: 2 });
    const statuses = new Set<number>();
    for (let write = 2; write <= 300; write += 1)
      statuses.add((await post(`/api/sessions/${session.id}`, update)).status);
    expect([...statuses]).toEqual([204]);
    for (const path of ['/api/sessions', `/api/sessions/${session.id}`]) {
      const refused = await post(path, { ...update, ...session, page_count: 3 });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    }
    expect(readSessions(raw)).toMatchObject([{ page_count: 2 }]);
  });
});

describe('the country of a session', () => {
  const send = async (countryHeader: string | undefined, headers: Record<string, string>, more = {}) => {
    const { post, raw } = appHarness({ countryHeader });
    expect((await post('/api/sessions', { ...sessionOf(), ...more }, { headers })).status).toBe(204);
    return readSessions(raw)[0]?.country;
  };

  it('is that of the header which the setting names, and of no other', async () => {
    const headers = { 'cf-ipcountry': 'de', 'x-country': 'FR' };
    expect(await send('CF-IPCountry', headers)).toBe('DE');
    expect(await send(undefined, headers)).toBeUndefined();
    expect(await send('X-Vercel-IP-Country', headers)).toBeUndefined();
    expect(await send('CF-IPCountry', { 'cf-ipcountry': 'T1' })).toBeUndefined();
  });

  it('is never that of the body', async () => {
    expect(await send('CF-IPCountry', {}, { country: 'DE' })).toBeUndefined();
  });
});

describe('POST /api/summary', () => {
  it('does not let one caller with an IPv4 and an IPv6 network keep the admin out', async () => {
    const { post } = appHarness();
    const guess = (admin_email: string, client: string) => post('/api/summary', { admin_email }, { client });
    const caller = ['192.0.2.1', ...Array.from({ length: 11 }, (_, network) => `2001:db8:1:${network}::1`)];
    for (const client of caller) {
      for (let turn = 0; turn < 11; turn += 1) await guess('x@y.io', client);
      expect((await guess(ADMIN_EMAIL, client)).status).toBe(429);
    }
    expect((await guess(ADMIN_EMAIL, '192.0.2.2')).status).toBe(200);
  });

  it('limits wrong addresses from all clients together', async () => {
    const { post } = appHarness({ rateLimits: { allWrongAdmins: { burst: 100, perMinute: 1 } } });
    const statuses = new Map<number, number>();
    for (let client = 0; client < 150; client += 1) {
      const { status } = await post('/api/summary', { admin_email: 'x@y.io' }, { client: `198.51.100.${client}` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses).toEqual(
      new Map([
        [403, 100],
        [429, 50],
      ]),
    );
  });
});

describe('rate limits', () => {
  it('return 429 with Retry-After, only to the client that exceeded its limit', async () => {
    const { post, raw } = appHarness({ rateLimits: { signups: { burst: 2, perMinute: 6 } } });
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await post('/api/signups', signupOf())).status);
    expect(statuses).toEqual([201, 201, 429]);
    const refused = await post('/api/signups', signupOf());
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toEqual({ error: { code: 'rate-limited', message: 'too many requests' } });
    expect((await post('/api/signups', signupOf(), { client: '192.0.2.2' })).status).toBe(201);
    expect(readSignups(raw)).toHaveLength(3);
  });

  it('count a mailbox across all clients, in any spelling', async () => {
    const { post } = appHarness({ rateLimits: { signupsPerMailbox: { burst: 2, perMinute: 6 } } });
    const named = (client: string, email: string) => post('/api/signups', signupOf({ email }), { client });
    expect((await named('192.0.2.1', 'me@example.org')).status).toBe(201);
    expect((await named('192.0.2.2', 'ME+tag@example.org')).status).toBe(201);
    expect((await named('192.0.2.3', 'me@example.org')).status).toBe(429);
    expect((await named('192.0.2.3', 'you@example.org')).status).toBe(201);
  });

  it('count an IPv6 /64 as one client, and give the /48 around it ten times as much', async () => {
    const { post } = appHarness({ rateLimits: { sessions: { burst: 2, perMinute: 6 } } });
    const from = async (client: string) => (await post('/api/sessions', sessionOf(), { client })).status;
    const statuses: number[] = [];
    for (let host = 1; host <= 3; host += 1) statuses.push(await from(`2001:db8:7:1::${host}`));
    expect(statuses).toEqual([204, 204, 429]);
    for (let network = 2; network <= 19; network += 1) expect(await from(`2001:db8:7:${network}::1`)).toBe(204);
    expect(await from('2001:db8:7:99::1')).toBe(429);
    expect(await from('2001:db8:8:99::1')).toBe(204);
  });
});

describe('a signup of a program', () => {
  it('needs the address alone', async () => {
    const { post, raw } = appHarness();
    const response = await post('/api/signups', { email: 'ada@example.org' });
    expect([response.status, await response.json()]).toEqual([201, { result: 'created' }]);
    expect(readSignups(raw)).toMatchObject([{ email: 'ada@example.org', source: 'api' }]);
    expect((await post('/api/signups', { email: 'ada@example.org' })).status).toBe(200);
  });

  it.each<[unknown, string]>([
    [{}, 'email is missing'],
    [[], 'email is missing'],
    [{ email: 7 }, 'email must be a valid email address'],
    [
      { email: 'ada', source: '\u0000', submission_id: 'x', referrer: 5, utm_source: 1, session_id: '' },
      [
        'email must be a valid email address',
        'session_id must be 8 to 64 letters, digits, "-" or "_", and not start and end with "__"',
        'source must be text of at most 64 characters without control characters',
        'referrer must be text of at most 2048 characters without control characters',
        'submission_id must be 8 to 64 letters, digits, "-" or "_", and not start and end with "__"',
        'utm_source must be text of at most 256 characters without control characters',
      ].join('; '),
    ],
  ])('with the body %j is told every problem at once', async (body, message) => {
    const response = await appHarness().post('/api/signups', body);
    expect([response.status, await response.json()]).toEqual([400, { error: { code: 'invalid', message } }]);
  });
});

describe('origins', () => {
  it('are refused before the body is read, unless own or allowed', async () => {
    const { post, raw } = appHarness();
    for (const origin of ['https://evil.test', 'null', 'http://localhost.evil.test:9']) {
      const response = await post('/api/signups', 'no JSON at all', { headers: { origin } });
      expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'forbidden' } }]);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    }
    expect(readSignups(raw)).toEqual([]);
    const own = await post('/api/signups', signupOf(), { headers: { origin: 'http://localhost:4173' } });
    expect([own.status, own.headers.has('access-control-allow-origin')]).toEqual([201, false]);
  });

  it('that are allowed may read every response, including errors', async () => {
    const { post } = appHarness();
    for (const [body, status] of [
      [signupOf(), 201],
      ['no JSON', 400],
    ] as const) {
      const response = await post('/api/signups', body, { headers: { origin: ALLOWED_ORIGIN } });
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
      expect(response.headers.get('vary')).toBe('Origin');
    }
  });

  it('get the allowed methods from a preflight', async () => {
    const { app } = appHarness();
    const preflight = (origin: string) =>
      app.fetch(
        new Request('http://localhost:4173/api/signups', {
          method: 'OPTIONS',
          headers: { origin, host: 'localhost:4173', 'access-control-request-method': 'POST' },
        }),
      );
    const allowed = await preflight(ALLOWED_ORIGIN);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(allowed.headers.get('access-control-allow-methods')).toBe('POST');
    const foreign = await preflight('https://evil.test');
    expect([foreign.status, foreign.headers.has('access-control-allow-origin')]).toEqual([403, false]);
  });

  it('that are refused are logged once an hour, with the setting to change', async () => {
    const { app, post, log, clock } = appHarness();
    const origin = 'https://forgotten.test';
    for (let turn = 0; turn < 3; turn += 1) await post('/api/signups', signupOf(), { headers: { origin } });
    await post('/api/signup-form', new URLSearchParams({ email: 'me@example.org' }), { headers: { origin } });
    const headers = { origin: 'https://other.test', host: 'localhost:4173' };
    await app.fetch(new Request('http://localhost:4173/api/signups', { method: 'OPTIONS', headers }));
    clock.now += 3_600_000;
    await post('/api/signups', signupOf(), { headers: { origin } });
    expect(log).toEqual(
      [origin, 'https://other.test', origin].map((refused) => ({
        level: 'warn',
        event: 'origin-refused',
        fields: { origin: refused, fix: expect.stringContaining('ALLOWED_ORIGINS') },
      })),
    );
  });
});

describe('an invalid request', () => {
  it.each([
    ['an unsupported type', '/api/signups', '{}', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no type', '/api/signups', '{}', { 'content-type': '' }, 415],
    ['malformed JSON', '/api/signups', '{"email":', {}, 400],
    ['an empty body', '/api/signups', '', {}, 400],
    ['a list', '/api/sessions', '[]', {}, 400],
    ['null', '/api/welcome-email', 'null', {}, 400],
    ['a body that is too large', '/api/signups', JSON.stringify('x'.repeat(MAX_BODY_BYTES)), {}, 413],
    ['deep nesting', '/api/signups', '['.repeat(8_000) + ']'.repeat(8_000), {}, 400],
    ['a malformed id', '/api/sessions/..%2F..%2Fx', '{}', {}, 400],
    ['a broken escape', '/api/sessions/%E0%A4%A', '{}', {}, 400],
    ['no such route', '/api/nothing', '{}', {}, 404],
    ['no route', '/api', '{}', {}, 404],
  ])('%s is refused with a stable code', async (_, path, body, headers, status) => {
    const { post } = appHarness();
    const response = await post(path, body, { headers });
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { code: 'invalid', message: expect.any(String) } },
    ]);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('returns 405 for %s', async (method) => {
    const { app } = appHarness();
    for (const path of ['signups', 'sessions', 'sessions/12345678', 'summary', 'welcome-email', 'signup-form']) {
      const response = await app.fetch(new Request(`http://localhost/api/${path}`, { method }));
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ error: { code: 'invalid' } });
    }
    expect((await app.fetch(new Request('http://localhost/api/nothing', { method }))).status).toBe(404);
  });
});

describe('POST /api/inbox', () => {
  const ask = { email: 'ada@gmail.com', submission_id: 'b7e3c0de-0000-4000-8000-000000000000' };
  const cookie = 'early_access_signup=b7e3c0de-0000-4000-8000-000000000000; Max-Age=604800; Path=/confirm; ';

  it('returns the texts in the language of the page, or else of the browser, with the webmail of the address', async () => {
    const { post } = appHarness();
    expect(await (await post('/api/inbox', { ...ask, lang: 'es-MX' })).json()).toEqual({
      successTitle: 'Revisa tu correo',
      successText: expect.stringContaining('Abre el enlace'),
      link: 'Abrir el correo',
      url: 'https://mail.google.com/mail/',
    });
    const other = { ...ask, email: 'ada@example.org' };
    const headers = { 'accept-language': 'ar' };
    expect(await (await post('/api/inbox', other, { headers })).json()).toEqual({
      successTitle: expect.stringContaining('الوارد'),
      successText: expect.any(String),
    });
  });

  it('sets a cookie that only the page of the link gets, also for the page of an allowed origin', async () => {
    const { post } = appHarness();
    const { headers } = await post('/api/inbox', ask, { headers: { origin: ALLOWED_ORIGIN } });
    expect(headers.get('set-cookie')).toBe(`${cookie}SameSite=Lax`);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    const secure = appHarness({ publicUrl: new URL('https://example.org') });
    const response = await secure.post('/api/inbox', ask, { headers: { origin: 'https://example.org' } });
    expect(response.headers.get('set-cookie')).toBe(`${cookie}Secure; SameSite=None`);
  });

  it.each([
    [{ ...ask, submission_id: 'a; Domain=evil.test' }],
    [{ ...ask, email: 'ada' }],
    [{ email: 'ada@gmail.com' }],
  ])('refuses %j', async (body) => {
    const { post } = appHarness();
    const response = await post('/api/inbox', body);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([400, null]);
  });
});
