import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hashToken, newToken, toUnsubscribeToken } from '../../app/access/secrets.ts';
import { LANGUAGES } from '../../app/brand/language.ts';
import { CONFIRM_LINK_MS } from '../../app/mail/message-kinds.ts';
import { ADMIN_EMAIL, ALLOWED_ORIGIN, appHarness } from '../../fixtures/app-harness.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { deliver } from '../../testing/harness.ts';
import { personStatus } from '../routing/schemas/visitors.ts';

const HEADERS = { 'content-type': 'application/json' };
const [ME, NEW, OTHER] = ['ada@example.org', 'ada@new.example', 'eve@example.org'];
const ROUTES = ['', '/export', '/address', '/unsubscribe', '/erase'];

/** A person whose first email was sent, and the token of its link to their page. */
async function harness(options: Parameters<typeof appHarness>[0] = {}) {
  const app = appHarness({ statusPage: true, ...options });
  const { store } = app;
  await store.createSignup(signupOf({ email: ME, source: 'hero' }));
  const message = await deliver(store);
  const token = message.tokens.status ?? '';
  const call = (route: string, body: object = {}, client?: string) =>
    app.post(`/api/status${route}`, { token, email: NEW, ...body }, { headers: HEADERS, ...(client && { client }) });
  const readState = async () => personStatus.parse(await (await call('')).json()).state;
  const get = (path: string, language = 'en') => app.get(path, { 'accept-language': language });
  return { ...app, token, tokens: message.tokens, call, readState, get, message };
}

describe('POST /api/status', () => {
  it('shows the person their state', async () => {
    const { call, store, clock } = await harness();
    expect(await (await call('')).json()).toEqual({ email: ME, state: 'subscribed', signed_up_at: clock.now });
    await store.list.changePerson(ME, 'bounce', 'mail-server');
    expect(await (await call('')).json()).toMatchObject({ state: 'bounced' });
  });

  it('has one response for every token that opens no page, and the routes below it, too', async () => {
    const { call, tokens, store, token } = await harness();
    const [guessed, unsubscribe] = [newToken(), tokens.unsubscribe];
    const responses = new Set<string>();
    for (const given of [guessed, unsubscribe, toUnsubscribeToken(unsubscribe ?? ''), '', 7, null, 'x'.repeat(9_000)]) {
      for (const route of ROUTES) {
        const response = await call(route, { token: given }, `192.0.2.${responses.size}`);
        responses.add(`${response.status} ${await response.text()} ${[...response.headers].join()}`);
      }
    }
    await store.erase(ME);
    const erased = await call('', { token });
    responses.add(`${erased.status} ${await erased.text()} ${[...erased.headers].join()}`);
    expect(responses.size).toBe(1);
    expect([...responses][0]).toContain('404 {"error":{"code":"invalid","message":"This link is not valid."}}');
  });

  it('opens by a link that has confirmed the address, and not before', async () => {
    const { call, tokens, store, post, clock } = await harness({ confirm: true });
    const token = tokens.link;
    expect((await call('', { token })).status).toBe(404);
    const confirmed = await post('/api/confirm', { token }, { headers: HEADERS });
    expect(await confirmed.json()).toEqual({ result: 'confirmed' });
    expect(await (await call('', { token })).json()).toMatchObject({ state: 'subscribed' });
    clock.now += CONFIRM_LINK_MS;
    expect((await call('', { token })).status).toBe(404);
    expect((await store.list.counts()).get('subscribed')).toBe(1);
  });

  it('shows the link to share and the place in line, and the file names none of the people at its other end', async () => {
    const { call, store, clock } = await harness({ share: { showPlaces: true } });
    const shown = z.object({
      share: z.object({ url: z.string(), friends: z.string(), place: z.string(), line: z.unknown() }),
    });
    const before = shown.parse(await (await call('')).json()).share;
    expect([before.friends, before.place]).toEqual(['Friends who joined: 0', 'Your place in line: 1']);
    expect(before.line).toEqual({ viewBox: '0 0 200 10', ahead: '', own: 'M5 5h1', scale: '' });
    const utm_content = new URL(before.url).searchParams.get('utm_content') ?? '';
    clock.now += 1_000;
    await store.createSignup(signupOf({ email: 'bea@example.org', utm_source: 'share', utm_content }), {
      confirm: true,
    });
    const { link } = (await store.list.createTokens('bea@example.org')) ?? {};
    expect(link).toBeNull();
    const message = await claimNext(store.mails);
    await store.list.confirm(hashToken(message?.tokens.link ?? ''), null);
    expect(shown.parse(await (await call('')).json()).share.friends).toBe('Friends who joined: 1');
    const file = await (await call('/export')).text();
    expect(file).toContain('"referrals": 1');
    expect(file).toMatch(/"language": (null|"en")/);
    expect(file).not.toContain('bea');
    await call('/unsubscribe');
    expect(await (await call('')).json()).not.toHaveProperty('share');
  });

  it('limits the tokens that one client may try', async () => {
    const { call } = await harness({ rateLimits: { statusPages: { burst: 3, perMinute: 6 } } });
    const statuses = [];
    for (const route of ROUTES) statuses.push((await call(route, { token: newToken() })).status);
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  });

  it('refuses other pages, other types and other methods', async () => {
    const { post, get, token, readState } = await harness();
    const foreign = { headers: { ...HEADERS, origin: 'https://evil.test' } };
    for (const route of ROUTES) {
      expect((await post(`/api/status${route}`, { token, email: NEW }, foreign)).status).toBe(403);
      expect((await post(`/api/status${route}`, { token, email: NEW })).status).toBe(415);
      expect((await get(`/api/status${route}?token=${token}`)).status).toBe(404);
    }
    expect(await readState()).toBe('subscribed');
  });

  it('lets the page of another site read nothing', async () => {
    const { post, token } = await harness();
    const response = await post('/api/status', { token }, { headers: { ...HEADERS, origin: ALLOWED_ORIGIN } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('POST /api/status/export', () => {
  it('is a file with everything about the person, and nothing about a new address that is not confirmed', async () => {
    const { call, store, clock } = await harness();
    await store.createSignup(signupOf({ email: OTHER }));
    const read = async () =>
      z.looseObject({ timeline: z.array(z.unknown()) }).parse(await (await call('/export')).json());
    const before = await read();
    const signed = new Date(clock.now).toISOString();
    expect(before).toMatchObject({ email: ME, state: 'subscribed', source: 'hero', created_at: signed, session: null });
    expect(before.timeline).toEqual([
      { at: signed, event: 'signup', by: null, email: null },
      { at: signed, event: 'email', by: null, email: { kind: 'welcome', state: 'sent', reason: null, subject: null } },
    ]);
    await call('/address', { email: OTHER });
    expect(await read()).toEqual(before);
    await call('/address', { email: NEW });
    expect(await read()).toEqual(before);
    const { headers } = await call('/export');
    expect(headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
  });
});

describe('POST /api/status/address', () => {
  it('refuses an address that the settings do not accept, in the words of the form', async () => {
    const { call, wakes } = await harness({ addressRules: { block: ['new.example'] } });
    const response = await call('/address');
    const text = expect.stringContaining('Addresses of this provider are not accepted.');
    expect([response.status, await response.json()]).toMatchObject([400, { error: { text } }]);
    expect(wakes.count).toBe(0);
  });

  it('asks the owner of the new address, and changes nothing before', async () => {
    const { call, readState, store, wakes, token } = await harness();
    const response = await call('/address', { email: ' ADA@New.Example ' });
    expect([response.status, await response.text(), wakes.count]).toEqual([202, '', 1]);
    expect([await readState(), [...(await store.people.listed([NEW])).keys()]]).toEqual(['subscribed', []]);
    const message = await claimNext(store.mails);
    expect(message).toMatchObject({ kind: 'correction', email: NEW, tokens: { status: null, unsubscribe: null } });
    const link = message?.tokens.link ?? '';
    expect((await call('', { token: link })).status).toBe(404);
    expect((await call('', { token })).status).toBe(200);
  });

  it('says the same about an address on the list, and sends nothing to it', async () => {
    const { call, store, wakes } = await harness();
    await store.createSignup(signupOf({ email: OTHER }));
    await claimNext(store.mails);
    const responses = [];
    for (const email of [OTHER, ME, NEW]) {
      const response = await call('/address', { email });
      responses.push(`${response.status} ${await response.text()} ${[...response.headers].join()}`);
    }
    expect(new Set(responses).size).toBe(1);
    expect([wakes.count, (await claimNext(store.mails))?.email]).toEqual([1, NEW]);
  });

  it('limits the emails that a person asks for, and those to a mailbox', async () => {
    const { call, store, token } = await harness();
    const statuses = [];
    for (const n of [1, 2, 3, 4])
      statuses.push((await call('/address', { email: `n${n}@new.example` }, `192.0.2.${n}`)).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
    const more = [];
    for (const n of [1, 2, 3, 4]) {
      const email = `p${n}@example.org`;
      await store.createSignup(signupOf({ email }));
      const other = (await store.list.createTokens(email))?.status;
      expect(other).not.toBe(token);
      more.push((await call('/address', { token: other, email: `f.l.ood+${n}@gmail.com` }, `192.0.2.${n}`)).status);
    }
    expect(more).toEqual([202, 202, 202, 429]);
  });

  it('is refused for what is no address, and for a person who has unsubscribed', async () => {
    const { call, wakes } = await harness();
    for (const email of ['ada', '', null, `${'x'.repeat(300)}@example.org`])
      expect((await call('/address', { email })).status).toBe(400);
    await call('/unsubscribe');
    expect([(await call('/address')).status, wakes.count]).toEqual([409, 0]);
  });
});

it('POST /api/status/unsubscribe unsubscribes, once and for all', async () => {
  const { call, readState, store } = await harness();
  for (let turn = 0; turn < 2; turn += 1)
    expect(await (await call('/unsubscribe')).json()).toMatchObject({ email: ME, state: 'unsubscribed' });
  expect(await readState()).toBe('unsubscribed');
  expect((await store.people.listed([ME])).get(ME)?.state).toBe('unsubscribed');
});

it('POST /api/status/unsubscribe counts for the campaign whose email had the link', async () => {
  const { call, store } = await harness();
  const content = {
    subject: 'We are live',
    body: 'Hello',
    audience: { states: ['subscribed'], source: null },
  } as const;
  const { id } = await store.campaigns.create(content);
  await store.campaigns.change(id, 'sending');
  await store.campaigns.feed();
  const token = (await claimNext(store.mails))?.tokens.status;
  expect((await call('/unsubscribe', { token })).status).toBe(200);
  expect(await store.campaigns.find(id)).toMatchObject({ unsubscribed: 1 });
  const person = await store.people.find((await store.people.listed([ME])).get(ME)?.id ?? '');
  expect(person?.timeline).toContainEqual(expect.objectContaining({ event: 'unsubscribe', by: 'person' }));
});

describe('POST /api/status/erase', () => {
  it('erases the person, and their link no longer works', async () => {
    const { call, store } = await harness();
    expect(await (await call('/erase')).json()).toEqual({ result: 'erased' });
    expect([(await call('/erase')).status, (await call('')).status]).toEqual([404, 404]);
    expect((await store.people.listed([ME])).size).toBe(0);
  });

  it('says so if the database could not remove every trace', async () => {
    const { call, raw } = await harness();
    raw.exec('BEGIN');
    raw.prepare('SELECT count(*) FROM email_signups').get();
    hurry();
    expect(await (await call('/erase')).json()).toEqual({ result: 'not-traceless' });
    raw.exec('ROLLBACK');
  });
});

describe('the page /status', () => {
  it('is in each language, runs its own script only, and contains nothing about anyone', async () => {
    const { get, token } = await harness();
    expect((await get(`/status?token=${token}`)).headers.get('location')).toBe(`/status#token=${token}`);
    const pages = [];
    for (const language of LANGUAGES) {
      const response = await get('/status', language);
      expect(response.status).toBe(200);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      const policy = response.headers.get('content-security-policy');
      expect(policy).toMatch(
        /script-src 'sha256-[^;]+; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-anc/,
      );
      const page = await response.text();
      expect(page).toContain(`<html lang="${language}"`);
      expect(page).not.toMatch(/>(undefined|null)<|ada@/);
      expect(page).not.toContain(token);
      pages.push(page);
    }
    expect(new Set(pages).size).toBe(LANGUAGES.length);
  });

  it('is linked from the pages of a signup, the same for everyone, and of a confirmation', async () => {
    const { post, get } = await harness();
    for (const [email, isLinked] of [
      ['bob@example.org', true],
      [ME, true],
      ['bob', false],
    ] as const) {
      const page = await (await post('/api/signup-form', new URLSearchParams({ email }))).text();
      expect(page.includes('<a href="/status">')).toBe(isLinked);
    }
    expect((await (await get('/confirm')).text()).match(/<a href="\/status">/g)).toHaveLength(2);
  });

  it('does not exist unless it is on, and the path is left to the host', async () => {
    const { app, post, get, token } = await harness({ statusPage: false, site: undefined });
    expect([app.handles('/status'), app.handles('/api/status'), app.handles('/api/status/export')]).toEqual(
      Array(3).fill(false),
    );
    expect((await get('/status')).status).toBe(404);
    for (const route of ROUTES)
      expect((await post(`/api/status${route}`, { token }, { headers: HEADERS })).status).toBe(404);
    expect(await (await get('/confirm')).text()).not.toContain('/status');
    const on = await harness();
    expect([on.app.handles('/status'), on.app.handles('/api/status/export'), on.app.handles('/status/x')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it('logs no token and no address, not even if the store fails', async () => {
  const findOwner = async () => {
    throw new Error(`no such person: ${ADMIN_EMAIL}`);
  };
  const { call, log, token } = await harness({ list: { findOwner } });
  expect((await call('/export')).status).toBe(500);
  expect(log.map(({ fields }) => fields?.route)).toEqual(['/api/status/export']);
  expect(JSON.stringify(log)).not.toContain(token);
});
