import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { adminHarness, readCookie } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { type AuthenticatorMistakes, softwareAuthenticator } from '../../fixtures/software-authenticator.ts';
import { claimed } from '../../testing/harness.ts';
import type { PasskeysResponse } from '../routing/schemas/passkeys.ts';

const SITE = 'https://www.acme.example';

/** An application at a domain, whose owner is signed in and has an authenticator. */
async function passkeyHarness(options: Parameters<typeof adminHarness>[0] = {}) {
  const harness = adminHarness({ publicUrl: new URL(SITE), ...options });
  const { request, signIn } = harness;
  const cookie = await signIn();
  const device = softwareAuthenticator(SITE);
  const ask = async (path: string, given?: string): Promise<string> => {
    const response = await request('POST', path, given === undefined ? {} : { cookie: given });
    expect(response.status).toBe(200);
    return JSON.parse(await response.text()).options.challenge;
  };
  const store = (response: unknown, given = cookie) =>
    request('POST', '/admin/passkeys', { cookie: given, body: { name: ' Laptop ', response } });
  const add = async (mistakes?: AuthenticatorMistakes, given = cookie) =>
    store(device.create(await ask('/admin/passkeys/options', given), mistakes), given);
  const open = (response: unknown) => request('POST', '/admin/passkey-sign-in', { body: { response } });
  const use = async (mistakes?: AuthenticatorMistakes) =>
    open(device.get(await ask('/admin/passkey-sign-in/options'), mistakes));
  const list = async (given = cookie): Promise<PasskeysResponse> =>
    JSON.parse(await (await request('GET', '/admin/passkeys', { cookie: given })).text());
  return { ...harness, cookie, device, ask, put: store, add, open, use, list };
}

const message = async (response: Response): Promise<string> => JSON.parse(await response.text()).error.message;

describe('passkeys', () => {
  it('are added in the dashboard, and open the same session as a link', async () => {
    const { add, use, list, request, store, clock, device } = await passkeyHarness();
    expect((await add()).status).toBe(200);
    const opened = await use();
    expect([opened.status, opened.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^__Host-early_access=[\w-]{43}; .*HttpOnly; Secure; SameSite=Strict$/),
    ]);
    const session = await request('GET', '/admin/session', { cookie: readCookie(opened) });
    expect(await session.json()).toMatchObject({ email: ADMIN_EMAIL, role: 'admin', is_owner: true });
    const { passkeys, is_available } = await list();
    expect(passkeys).toMatchObject([{ name: 'Laptop', created_at: clock.now, last_used_at: clock.now }]);
    expect(is_available).toBe(true);
    expect(await store.passkeys.find(device.id)).toMatchObject({ counter: 1 });
    // Their owner is told by email.
    const told = await claimed(store);
    expect(told).toMatchObject({ email: ADMIN_EMAIL, notice: { type: 'passkey-added', since: expect.any(Number) } });
    expect(await store.admin.audit(2)).toMatchObject([
      { action: 'sign-in', admin: ADMIN_EMAIL },
      { action: 'add-passkey', admin: ADMIN_EMAIL },
    ]);
  });

  it('ask the browser for a verified user and a passkey of this domain, and hide the address from the device', async () => {
    const { request, cookie } = await passkeyHarness();
    const made = await request('POST', '/admin/passkeys/options', { cookie });
    const { options } = JSON.parse(await made.text());
    expect(options).toMatchObject({
      rp: { name: 'Early access', id: 'www.acme.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    const asked = await request('POST', '/admin/passkey-sign-in/options');
    expect(JSON.parse(await asked.text()).options).toMatchObject({
      rpId: 'www.acme.example',
      userVerification: 'required',
    });
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another domain', { domain: 'evil.example' }],
    ['an unverified user', { isUserVerified: false }],
    ['a challenge that was made up', { challenge: 'x'.repeat(43) }],
  ])('refuse a new passkey with %s', async (_, mistakes) => {
    const { add, list } = await passkeyHarness();
    const response = await add(mistakes);
    expect([response.status, await message(response)]).toEqual([400, expect.stringMatching(/verified|too long/)]);
    expect((await list()).passkeys).toEqual([]);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another domain', { domain: 'evil.example' }],
    ['an unverified user', { isUserVerified: false }],
    ['a forged signature', { isForged: true }],
    ['a challenge that was made up', { challenge: 'x'.repeat(43) }],
  ])('sign no one in with %s', async (_, mistakes) => {
    const { add, use, store } = await passkeyHarness();
    await add();
    const sessions = (await store.admin.sessions()).length;
    const response = await use(mistakes);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([400, null]);
    expect(await store.admin.sessions()).toHaveLength(sessions);
  });

  it('sign no one in with a counter that has not gone up, as a copy has', async () => {
    const { add, use, clock } = await passkeyHarness();
    await add();
    clock.now += MINUTE_MS;
    expect((await use({ counter: 9 })).status).toBe(204);
    for (const counter of [0, 8, 9]) {
      const response = await use({ counter });
      expect([response.status, await message(response)]).toEqual([401, expect.stringContaining('sign in with a link')]);
    }
    expect((await use({ counter: 10 })).status).toBe(204);
  });

  it('take each challenge once, for five minutes, for what and whom it was made', async () => {
    const { add, ask, open, put, device, clock, cookie, signIn, store } = await passkeyHarness();
    await add();
    const used = device.get(await ask('/admin/passkey-sign-in/options'));
    expect((await open(used)).status).toBe(204);
    expect((await open(used)).status).toBe(400);
    const late = await ask('/admin/passkey-sign-in/options');
    clock.now += 5 * MINUTE_MS;
    const response = await open(device.get(late));
    expect([response.status, await message(response)]).toEqual([400, expect.stringContaining('too long')]);
    // A challenge to add a passkey signs no one in, and one to sign in adds none.
    expect((await open(device.get(await ask('/admin/passkeys/options', cookie)))).status).toBe(400);
    const other = softwareAuthenticator(SITE);
    expect((await put(other.create(await ask('/admin/passkey-sign-in/options')))).status).toBe(400);
    // Nor does one that someone else has asked for.
    await store.team.invite({ email: 'ada@acme.example', role: 'viewer', invited_by: ADMIN_EMAIL });
    const adas = await ask('/admin/passkeys/options', await signIn('ada@acme.example'));
    expect((await put(other.create(adas))).status).toBe(400);
  });

  it('a challenge is no sign-in link', async () => {
    const { ask, request, cookie } = await passkeyHarness();
    for (const token of [await ask('/admin/passkeys/options', cookie), await ask('/admin/passkey-sign-in/options')])
      expect((await request('POST', '/admin/session', { body: { token } })).status).toBe(401);
  });

  it('are added in the first hour of a session only', async () => {
    const { request, cookie, clock } = await passkeyHarness();
    clock.now += HOUR_MS;
    const response = await request('POST', '/admin/passkeys/options', { cookie });
    expect([response.status, await message(response)]).toEqual([400, expect.stringContaining('sign out and in again')]);
  });

  it('belong to one person, and are at most twenty', async () => {
    const { add, ask, device, put, signIn, store, request, cookie } = await passkeyHarness();
    await add();
    await store.team.invite({ email: 'ada@acme.example', role: 'viewer', invited_by: ADMIN_EMAIL });
    const ada = await signIn('ada@acme.example');
    const response = await put(device.create(await ask('/admin/passkeys/options', ada)), ada);
    expect([response.status, await message(response)]).toEqual([400, 'this passkey is already stored']);
    for (let count = 1; count < 20; count += 1) {
      const key = { email: ADMIN_EMAIL, name: `${count}`, public_key: 'x', counter: 0 };
      await store.passkeys.add({ ...key, credential_id: `${count}` }, null);
    }
    expect((await request('POST', '/admin/passkeys/options', { cookie })).status).toBe(400);
  });

  it('are renamed and removed by their owner, and a removed one no longer signs in', async () => {
    const { add, use, list, request, cookie, signIn, store } = await passkeyHarness();
    await add();
    const opened = readCookie(await use());
    const [{ id = '' } = {}] = (await list()).passkeys;
    await store.team.invite({ email: 'ada@acme.example', role: 'admin', invited_by: ADMIN_EMAIL });
    const ada = await signIn('ada@acme.example');
    const change = (path: string, given: string) => request('POST', path, { cookie: given, body: { name: 'Phone' } });
    for (const path of [`/admin/passkeys/${id}`, `/admin/passkeys/${id}/remove`]) {
      expect((await change(path, ada)).status).toBe(404);
      expect((await change(path, cookie)).status).toBe(204);
    }
    expect((await list(ada)).passkeys).toEqual([]);
    const response = await use();
    expect([response.status, await message(response)]).toEqual([400, expect.stringContaining('sign in with a link')]);
    // Removing one ends nothing else, and the link replaces it.
    expect((await request('GET', '/admin/session', { cookie: opened })).status).toBe(200);
    expect((await add()).status).toBe(200);
    expect((await use()).status).toBe(204);
  });

  it('sign in no one who is no longer in the team', async () => {
    const { add, device, store } = await passkeyHarness();
    await add();
    const { request } = adminHarness({ store, publicUrl: new URL(SITE), adminEmail: 'new@acme.example' });
    const asked = await request('POST', '/admin/passkey-sign-in/options');
    const { challenge } = JSON.parse(await asked.text()).options;
    const sessions = (await store.admin.sessions()).length;
    const response = await request('POST', '/admin/passkey-sign-in', { body: { response: device.get(challenge) } });
    expect(response.status).toBe(401);
    expect(await store.admin.sessions()).toHaveLength(sessions);
  });

  it('work at localhost on a local run, and nowhere without a domain', async () => {
    const local = await passkeyHarness({ publicUrl: new URL('http://127.0.0.1:4173') });
    const response = await local.request('POST', '/admin/passkeys/options', { cookie: local.cookie });
    expect([response.status, await message(response)]).toEqual([400, expect.stringContaining('set PUBLIC_URL')]);
    expect((await local.list()).is_available).toBe(false);
  });

  it('are tried no more often than links', async () => {
    const { request } = await passkeyHarness();
    const statuses = new Set<number>();
    for (let count = 0; count < 20; count += 1)
      statuses.add((await request('POST', '/admin/passkey-sign-in/options', { client: '192.0.2.9' })).status);
    expect([...statuses]).toEqual([200, 429]);
  });

  it.each([
    null,
    'x',
    {},
    { id: 'x' },
    { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30' } },
  ])('refuse %j with 400', async (response) => {
    const { open, put } = await passkeyHarness();
    expect([(await open(response)).status, (await put(response)).status]).toEqual([400, 400]);
  });
});

it('signing out everywhere ends all sessions and unused links of the caller, and no one else’s', async () => {
  const { request, signIn, linkToken, cookie, store } = await passkeyHarness();
  await store.team.invite({ email: 'ada@acme.example', role: 'viewer', invited_by: ADMIN_EMAIL });
  const [ada, second, token] = [await signIn('ada@acme.example'), await signIn(), await linkToken()];
  const out = await request('POST', '/admin/sign-out-everywhere', { cookie });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  for (const ended of [cookie, second])
    expect((await request('GET', '/admin/session', { cookie: ended })).status).toBe(401);
  expect((await request('POST', '/admin/session', { body: { token } })).status).toBe(401);
  expect((await request('GET', '/admin/session', { cookie: ada })).status).toBe(200);
  expect(await store.admin.audit(1)).toMatchObject([{ action: 'sign-out-everywhere', admin: ADMIN_EMAIL, count: 2 }]);
});
