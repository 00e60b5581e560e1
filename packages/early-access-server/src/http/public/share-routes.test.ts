import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import { EVERYONE } from '../../app/people/people.ts';
import { MAX_SHARED_PER_DOMAIN, MAX_SHARED_PER_NETWORK } from '../../app/share/share-link.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { readConfig } from '../../settings/config.ts';
import { deliverAll, findId, linkHash } from '../../testing/harness.ts';
import { createEarlyAccess } from '../application/early-access.ts';
import type { LinksResponse } from '../routing/schemas/share.ts';

const SHARE = { share: { showPlaces: true } };

function harness(options: Parameters<typeof adminHarness>[0] = SHARE) {
  const admin = adminHarness(options);
  const ask = async (body: unknown) => {
    const response = await admin.request('POST', '/share', { body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const signUp = async (fields: Parameters<typeof signupOf>[0] = {}) => {
    const signup = signupOf(fields);
    await admin.store.createSignup(signup, { confirm: false });
    return { email: signup.email, submission_id: signup.submission_id };
  };
  return { ...admin, ask, signUp };
}

describe('POST /share', () => {
  it('returns the link of a signup to the browser that made it, with texts in its language', async () => {
    const { ask, signUp } = harness();
    const own = await signUp({ email: 'ada@example.org', page_url: 'http://localhost:4173/de/' });
    const { status, body } = await ask({ ...own, lang: 'de' });
    expect([status, body]).toEqual([
      200,
      {
        share: {
          url: expect.stringMatching(/^http:\/\/localhost:4173\/de\/\?utm_source=share&utm_content=[\w-]{10}$/),
          title: 'Teile deinen Link',
          hint: expect.any(String),
          text: expect.any(String),
          share: 'Teilen',
          copy: 'Link kopieren',
          copied: 'Kopiert',
          friends: 'Freunde, die dabei sind: 0',
          place: 'Dein Platz auf der Warteliste: 1',
        },
      },
    ]);
    expect((await ask({ ...own, lang: 'en' })).body.share.url).toBe(body.share.url);
  });

  it('counts no place that it does not show', async () => {
    const { ask, signUp, store } = harness({ share: { showPlaces: false } });
    const count = vi.spyOn(store.share, 'readPlace');
    const { body } = await ask(await signUp());
    expect([body.share.place, count.mock.calls]).toEqual([undefined, []]);
  });

  it.each([
    [true, 'http://localhost:4173/form', '/join'],
    [false, 'http://localhost:4173/form', '/form'],
    // A browser says no page of a sandboxed frame, and the home page may only have such a frame, so the form opens in a
    // tab.
    [true, undefined, '/join'],
    [false, undefined, '/form'],
    [false, 'https://evil.example/form', '/'],
    [true, 'https://evil.example/form', '/join'],
    [true, 'http://localhost:4173/form/', '/form/'],
  ])('with a signup page (%s), the link of someone from %s leads to %s', async (joinPage, page, path) => {
    const { ask, signUp } = harness({ ...SHARE, hostedForms: { joinPage, origins: ['https://shop.example'] } });
    const { body } = await ask(await signUp({ ...(page !== undefined && { page_url: page }) }));
    expect(URL.parse(body.share.url)?.pathname).toBe(path);
  });

  it('shows no place unless the host does, and is missing unless people share', async () => {
    const quiet = harness({ share: { showPlaces: false } });
    expect((await quiet.ask(await quiet.signUp())).body.share).not.toHaveProperty('place');
    const off = harness({});
    expect(await (await off.request('GET', '/openapi.json')).text()).not.toContain('/api/share');
  });

  it('refuses pages of other sites', async () => {
    const { request } = harness();
    const response = await request('POST', '/share', { body: {}, headers: { origin: 'https://evil.test' } });
    expect(response.status).toBe(403);
  });
});

describe('the links of the dashboard', () => {
  it('show what each has brought, and an admin decides about credit that is held', async () => {
    const { signIn, request, store } = harness();
    await store.createSignup(signupOf({ email: 'ada@example.org' }), { confirm: false });
    const [ada] = (await store.people.list({ ...EVERYONE, sort: 'oldest', limit: 1, after: null })).people;
    const code = (await store.share.readShare(ada?.id ?? ''))?.code ?? '';
    for (let n = 0; n <= MAX_SHARED_PER_DOMAIN; n += 1) {
      const friend = { email: `f${n}@x.io`, utm_source: 'share', utm_content: code };
      await store.createSignup(signupOf(friend), { confirm: true });
      await deliverAll(store, (message) => store.list.confirm(linkHash(message), null));
    }
    const cookie = await signIn();
    const links = async (): Promise<LinksResponse> =>
      JSON.parse(await (await request('GET', '/admin/links', { cookie })).text());
    const signups = MAX_SHARED_PER_DOMAIN + 1;
    const link = { id: ada?.id, email: 'ada@example.org', signups, confirmed: signups, rejected: 0 };
    expect(await links()).toEqual({ links: [{ ...link, counted: MAX_SHARED_PER_DOMAIN, held: 1 }] });
    const decide = (credit: string) => request('POST', `/admin/links/${ada?.id}/decide`, { cookie, body: { credit } });
    expect((await decide('other')).status).toBe(400);
    expect(await (await decide('held')).json()).toEqual({ people: 0 });
    expect(await (await decide('counted')).json()).toEqual({ people: 1 });
    expect(await links()).toEqual({ links: [{ ...link, counted: signups, held: 0 }] });
    expect(await (await decide('rejected')).json()).toEqual({ people: 0 });
    const audited = (await store.admin.audit(10)).map(({ action, count }) => `${action} ${count}`);
    expect(audited).toEqual(['reject-credit 0', 'count-credit 1', 'hold-credit 0', 'sign-in 1']);
  });
});

it('many friends from one network are held, whether a script or a form signs them up, and no other signup stores a network', async () => {
  const { app, request, store, raw } = harness();
  await store.createSignup(signupOf({ email: 'ada@example.org' }), { confirm: false });
  const ada = await findId(store, 'ada@example.org');
  const code = (await store.share.readShare(ada))?.code ?? '';
  const incoming = (n: number) => ({ incoming: { socket: { remoteAddress: `192.0.2.${n}` } } });
  for (let n = 0; n < 19; n += 1) {
    const email = `f${n}@x${n}.io`;
    if (n % 2 === 0) {
      const friend = signupOf({ email, utm_source: 'share', utm_content: code });
      await request('POST', '/signups', { body: friend, client: `192.0.2.${n}` });
    } else {
      const headers = {
        host: 'localhost:4173',
        origin: 'http://localhost:4173',
        referer: `http://localhost:4173/?utm_source=share&utm_content=${code}`,
      };
      const form = { method: 'POST', body: new URLSearchParams({ email }), headers };
      await app.fetch(new Request('http://localhost:4173/api/signup-form', form), incoming(n));
    }
    await deliverAll(store, (message) => store.list.confirm(linkHash(message), null));
  }
  expect(await store.share.readShare(ada)).toMatchObject({
    confirmed: MAX_SHARED_PER_NETWORK,
    held: 19 - MAX_SHARED_PER_NETWORK,
  });
  await request('POST', '/signups', { body: signupOf({ email: 'eve@example.org' }) });
  const stored = raw
    .prepare('SELECT share_network, count(*) AS people FROM email_signups GROUP BY share_network')
    .all();
  expect(stored).toEqual([
    { share_network: null, people: 2 },
    { share_network: expect.stringMatching(/^[0-9a-f]{4}$/), people: 19 },
  ]);
});

describe('the settings', () => {
  const read = (env: Record<string, string>) => readConfig(env, '/scripts').share;

  it('are off by default', () => {
    expect(read({})).toBeNull();
    expect(read({ CONFIRM: 'on', SHARE: 'on' })).toEqual({ showPlaces: false });
    expect(read({ CONFIRM: 'on', SHARE: 'on', SHOW_PLACES: 'on' })).toEqual({ showPlaces: true });
  });

  it.each([
    [{ SHARE: 'on' }, 'SHARE=on requires CONFIRM=on'],
    [{ SHARE: 'on', CONFIRM: 'off' }, 'SHARE=on requires CONFIRM=on'],
    [{ SHOW_PLACES: 'on', CONFIRM: 'on' }, 'SHOW_PLACES=on requires SHARE=on'],
  ])('stop the start if one is missing: %j', (env, message) => {
    expect(() => read({ ...env })).toThrow(message);
  });

  it('are refused if the store does not confirm signups, as SHARE=on is without CONFIRM=on', () => {
    const { store } = harness({});
    expect(() => createEarlyAccess({ store, ...SHARE })).toThrow(/share \(SHARE\): .*confirm: true$/);
  });
});
