import { MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { adminHarness, readCookie } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { until } from '../../fixtures/mail-harness.ts';
import { readValue } from '../../fixtures/read-back.ts';
import { createEarlyAccess } from '../application/early-access.ts';
import type { SessionsResponse } from '../routing/schemas/server.ts';

describe('asking for a link', () => {
  it('mails it to the admin, and nothing to anyone else', async () => {
    const { request, emails, app, log } = adminHarness({ publicUrl: new URL('https://acme.example/') });
    for (const email of ['eve@example.org', ` ${ADMIN_EMAIL.toUpperCase()}`, 'no address', '']) {
      const response = await request('POST', '/admin/sign-in', { body: { email } });
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    await app.stop(1_000);
    expect(emails.map(({ to, subject }) => [to, subject])).toEqual([[ADMIN_EMAIL, 'Sign in to Early access']]);
    const link = /https:\/\/acme\.example\/admin#token=[\w-]{43}/;
    expect(emails[0]?.text).toMatch(link);
    expect(emails[0]?.html).toMatch(link);
    expect(log).toEqual([{ level: 'info', event: 'sign-in-mailed' }]);
  });

  it('responds before anything is stored or sent, and identically for every address', async () => {
    const { request, emails, raw } = adminHarness();
    const responses = [];
    for (const email of ['eve@example.org', ADMIN_EMAIL]) {
      const response = await request('POST', '/admin/sign-in', { body: { email } });
      responses.push([response.status, [...response.headers], await response.text()]);
    }
    expect(emails).toEqual([]);
    expect(readValue(raw, 'SELECT count(*) FROM admin_sign_in_tokens')).toBe(0);
    expect(responses[1]).toEqual(responses[0]);
    await vi.waitFor(() => expect(emails).toHaveLength(1));
  });

  it('notes in the browser that it asked, for as long as a link works, where only the dashboard reads it', async () => {
    for (const [publicUrl, secure] of [
      ['http://localhost:4173', ''],
      ['https://acme.example', ' Secure;'],
    ] as const) {
      const { request } = adminHarness({ publicUrl: new URL(publicUrl) });
      const asked = await request('POST', '/admin/sign-in', { body: { email: 'eve@example.org' } });
      expect(asked.headers.get('set-cookie')).toBe(
        `early_access_asked=1; Max-Age=900; Path=/admin;${secure} SameSite=Strict`,
      );
    }
  });

  it('stores the token as its hash only', async () => {
    const { linkToken, raw } = adminHarness();
    const token = await linkToken();
    const rows = JSON.stringify(raw.prepare('SELECT * FROM admin_sign_in_tokens').all());
    expect(rows).toContain(ADMIN_EMAIL);
    expect(rows).not.toContain(token);
  });

  it('waits for the delivery when the application stops', async () => {
    const delivery = Promise.withResolvers<void>();
    const { request, app, emails } = adminHarness({
      deliver: async () => {
        await delivery.promise;
        return { outcome: 'sent' };
      },
    });
    await request('POST', '/admin/sign-in', { body: { email: ADMIN_EMAIL } });
    let isStopped = false;
    const stopped = app.stop(5_000).then(() => {
      isStopped = true;
    });
    await vi.waitFor(() => expect(emails).toHaveLength(1));
    expect(isStopped).toBe(false);
    delivery.resolve();
    await stopped;
  });

  it('does no work for an address before a delay, so that the load does not tell whose it is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { request, emails, store } = adminHarness({ signInDelayMs: () => 1_500 });
    const add = vi.spyOn(store.admin, 'addSignInToken');
    await request('POST', '/admin/sign-in', { body: { email: ADMIN_EMAIL } });
    await vi.advanceTimersByTimeAsync(1_499);
    expect([add.mock.calls, emails]).toEqual([[], []]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(emails).toHaveLength(1));
  });

  it('passes no link on that leads elsewhere than to this machine', async () => {
    const onSignInLink = vi.fn();
    for (const publicUrl of [
      'https://www.example.com',
      'http://127.0.0.1.example.com',
      'http://127.0.0.1:8080',
      'http://[::1]',
    ]) {
      const { app } = adminHarness({ onSignInLink, publicUrl: new URL(publicUrl) });
      await app.deliverSignIn(ADMIN_EMAIL);
    }
    expect(onSignInLink.mock.calls.map(([link]) => new URL(link).origin)).toEqual([
      'http://127.0.0.1:8080',
      'http://[::1]',
    ]);
  });

  it('passes every address on to a host that delivers links itself', async () => {
    const queueSignIn = vi.fn(async () => {});
    const { request, emails, app } = adminHarness({ queueSignIn });
    for (const email of ['eve@example.org', ADMIN_EMAIL]) await request('POST', '/admin/sign-in', { body: { email } });
    expect(queueSignIn.mock.calls).toEqual([['eve@example.org'], [ADMIN_EMAIL]]);
    expect(emails).toEqual([]);
    await app.deliverSignIn('eve@example.org');
    await app.deliverSignIn(ADMIN_EMAIL);
    expect(emails.map(({ to }) => to)).toEqual([ADMIN_EMAIL]);
  });

  it('logs a link that could not be sent, without the address', async () => {
    const { request, log, app } = adminHarness({
      deliver: async () => ({ outcome: 'refused', refusal: 'later', reason: '451 4.3.0' }),
    });
    await request('POST', '/admin/sign-in', { body: { email: ADMIN_EMAIL } });
    await app.stop(1_000);
    expect(log).toEqual([{ level: 'warn', event: 'sign-in-not-mailed', fields: { reason: '451 4.3.0' } }]);
  });

  it('responds with 400 without an address, and before it looks at a long one', async () => {
    const { request } = adminHarness();
    for (const email of [undefined, 7, 'x'.repeat(1_001)])
      expect((await request('POST', '/admin/sign-in', { body: { email } })).status).toBe(400);
  });
});

describe('rate limits', () => {
  it('let the admin in again after a minute, even if others used them up', async () => {
    const { request, clock, linkToken, emails } = adminHarness({
      rateLimits: { allSignIns: { burst: 30, perMinute: 30 } },
    });
    const flood = async (email: string, client: string) =>
      (await request('POST', '/admin/sign-in', { body: { email }, client })).status;
    const statuses = [];
    for (let turn = 0; turn < 40; turn += 1) statuses.push(await flood(ADMIN_EMAIL, `198.51.100.${turn}`));
    expect(statuses.slice(0, 30)).toEqual(statuses.slice(0, 30).fill(202));
    expect(statuses.slice(30)).toEqual(Array(10).fill(429));
    await vi.waitFor(() => expect(emails).toHaveLength(5));
    clock.now += MINUTE_MS;
    const token = await linkToken();
    expect((await request('POST', '/admin/session', { body: { token } })).status).toBe(204);
  });

  it('bound what one client may ask for, and say when to come again', async () => {
    const { request } = adminHarness();
    const ask = (client: string) => request('POST', '/admin/sign-in', { body: { email: 'eve@example.org' }, client });
    for (let turn = 0; turn < 10; turn += 1) expect((await ask('192.0.2.9')).status).toBe(202);
    const refused = await ask('192.0.2.9');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await ask('192.0.2.10')).status).toBe(202);
  });
});

describe('a session', () => {
  it('is not opened by a link of 15 minutes ago, nor by anything else', async () => {
    const { request, linkToken, clock } = adminHarness();
    const token = await linkToken();
    clock.now += 15 * MINUTE_MS;
    for (const wrong of [token, '', 'x'.repeat(43), 'x'.repeat(10_000), 7, null, undefined]) {
      const refused = await request('POST', '/admin/session', { body: { token: wrong } });
      expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('ask for a new one')]);
    }
  });

  it.each([
    ['http://localhost:4173', /^early_access=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/],
    [
      'https://acme.example',
      /^__Host-early_access=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ],
  ])('is stored in a cookie that scripts and other sites cannot use, at %s', async (origin, expected) => {
    const { request, linkToken } = adminHarness({ publicUrl: new URL(origin) });
    const opened = await request('POST', '/admin/session', { body: { token: await linkToken() } });
    expect(opened.headers.get('set-cookie')).toMatch(expected);
    expect(opened.headers.get('cache-control')).toBe('private, no-store');
  });

  it('is stored in the cookie that the host passes on', async () => {
    const { request, signIn } = adminHarness({ sessionCookie: '__session' });
    const cookie = await signIn();
    expect(cookie).toMatch(/^__session=/);
    expect((await request('GET', '/admin/session', { cookie })).status).toBe(200);
  });

  it('is stored as a hash only', async () => {
    const { signIn, raw } = adminHarness();
    const [, token = ''] = (await signIn()).split('=');
    const rows = JSON.stringify(raw.prepare('SELECT * FROM admin_sessions').all());
    expect(rows).toContain(ADMIN_EMAIL);
    expect(rows).not.toContain(token);
  });

  it('is stored as used at most once a minute, so that reading does not become writing', async () => {
    const { request, signIn, clock, store, raw } = adminHarness();
    const cookie = await signIn();
    const markUsed = vi.spyOn(store.admin, 'markSessionUsed');
    const read = () => request('GET', '/admin/session', { cookie });
    clock.now += MINUTE_MS - 1;
    await read();
    clock.now += 1;
    await read();
    await vi.waitFor(() => expect(readValue(raw, 'SELECT last_used_at FROM admin_sessions')).toBe(clock.now));
    await read();
    await new Promise(setImmediate);
    expect(markUsed).toHaveBeenCalledOnce();
  });

  it('continues while a full disk keeps it from being stored as used, which is logged', async () => {
    const { request, signIn, clock, store, log } = adminHarness();
    const cookie = await signIn();
    vi.spyOn(store.admin, 'markSessionUsed').mockRejectedValue(new Error('disk full'));
    clock.now += MINUTE_MS;
    expect((await request('GET', '/admin/session', { cookie })).status).toBe(200);
    await until(() =>
      expect(log).toContainEqual({
        level: 'error',
        event: 'admin-session-use-not-recorded',
        fields: { reason: 'disk full' },
      }),
    );
  });

  it('ends when its address is no longer one of an admin, and is not listed to the others', async () => {
    const harness = adminHarness({ adminEmail: `${ADMIN_EMAIL},other@example.com` });
    const cookies = [await harness.signIn(), await harness.signIn('other@example.com')];
    const later = createEarlyAccess({ store: harness.store, adminEmail: 'other@example.com' });
    const fetchSessions = (cookie = '') =>
      later.fetch(new Request('http://localhost:4173/api/admin/sessions', { headers: { cookie } }));
    expect((await fetchSessions(cookies[0])).status).toBe(401);
    const { sessions }: SessionsResponse = JSON.parse(await (await fetchSessions(cookies[1])).text());
    expect(sessions.map(({ email }) => email)).toEqual(['other@example.com']);
  });

  it('ends by signing out, which clears the cookie', async () => {
    const { request, signIn } = adminHarness();
    const cookie = await signIn();
    const out = await request('POST', '/admin/sign-out', { cookie });
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toMatch(/^early_access=; Max-Age=0/);
    expect((await request('GET', '/admin/session', { cookie })).status).toBe(401);
  });

  it('can be listed and revoked from another one', async () => {
    const { request, signIn, store } = adminHarness();
    const [mine, other] = [await signIn(), await signIn()];
    const listed = await request('GET', '/admin/sessions', { cookie: mine });
    const { sessions }: SessionsResponse = JSON.parse(await listed.text());
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const id = sessions.find(({ current }) => !current)?.id;
    expect((await request('POST', '/admin/sessions/revoke', { cookie: mine, body: { id } })).status).toBe(204);
    expect((await request('GET', '/admin/session', { cookie: other })).status).toBe(401);
    expect((await request('GET', '/admin/session', { cookie: mine })).status).toBe(200);
    expect((await store.admin.audit(10)).map(({ action }) => action)).toEqual(['revoke-session', 'sign-in', 'sign-in']);
  });

  it('is of no use to pages of other origins', async () => {
    const { request, signIn } = adminHarness({ allowedOrigins: ['https://partner.example'] });
    const cookie = await signIn();
    for (const origin of ['https://evil.example', 'https://partner.example', 'null']) {
      const post = await request('POST', '/admin/sign-out', { cookie, headers: { origin } });
      expect([post.status, post.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect((await request('GET', '/admin/session', { cookie, headers: { origin } })).status).toBe(403);
    }
    const sameSite = { 'sec-fetch-site': 'same-site' };
    expect((await request('GET', '/admin/session', { cookie, headers: sameSite })).status).toBe(403);
    const form = { 'content-type': 'text/plain' };
    expect((await request('POST', '/admin/sign-out', { cookie, headers: form })).status).toBe(415);
    expect((await request('GET', '/admin/session', { cookie })).status).toBe(200);
  });
});

it('the settings are saved for the admin, each on its own', async () => {
  const { request, signIn } = adminHarness();
  const cookie = await signIn();
  const save = async (body: unknown) => (await request('POST', '/admin/settings', { cookie, body })).status;
  const settings = async () => JSON.parse(await (await request('GET', '/admin/session', { cookie })).text()).settings;
  expect(await save({ time_zone: 'Europe/Berlin' })).toBe(204);
  expect(await save({ weekly_email: true })).toBe(204);
  expect(await settings()).toEqual({ time_zone: 'Europe/Berlin', weekly_email: true, signup_notices: 'off' });
  expect(await save({ signup_notices: 'daily' })).toBe(204);
  expect(await save({ time_zone: null })).toBe(204);
  expect(await settings()).toEqual({ time_zone: null, weekly_email: true, signup_notices: 'daily' });
  for (const wrong of [
    { time_zone: 'Mars/Olympus' },
    { time_zone: 7 },
    { weekly_email: 'yes' },
    { weekly_email: null },
    { signup_notices: 'hourly' },
    { signup_notices: null },
  ])
    expect(await save(wrong)).toBe(400);
});

it('keeps the cookie out of the response to a failed sign-in', async () => {
  const { request } = adminHarness();
  expect(readCookie(await request('POST', '/admin/session', { body: { token: 'x' } }))).toBe('');
});
