import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { admin, anonymous, emailOTP, genericOAuth, magicLink } from 'better-auth/plugins';
import { describe, expect, it } from 'vitest';
import { earlyAccess } from './better-auth.ts';
import type { InviteClient } from './client.ts';

const ORIGIN = 'http://localhost:3000';
const ADA = 'ada@example.org';

/** A list with one invitation, `good`, to Ada. */
function fakeClient(): InviteClient {
  let used = false;
  const find = (token: string) => {
    if (token === 'outage') return { result: 'failed', reason: 'unavailable' } as const;
    if (token === 'old') return { result: 'expired' } as const;
    return token === 'good' ? null : ({ result: 'unknown' } as const);
  };
  return {
    verify: async (token) => find(token) ?? { result: used ? 'used' : 'valid' },
    async redeem(token) {
      const refusal = find(token);
      if (refusal) return refusal;
      if (used) return { result: 'used' };
      used = true;
      return { result: 'redeemed', email: ADA, id: 'person' };
    },
    admit: async () => ({ result: 'unknown' }),
  };
}

/** A product with every way to register, and a browser with its cookies. */
function product() {
  const database: { user: Record<string, unknown>[]; [table: string]: Record<string, unknown>[] } = {
    user: [],
    session: [],
    account: [],
    verification: [],
  };
  const sent: { link: string; code: string } = { link: '', code: '' };
  const cookies = new Map<string, string>();
  const auth = betterAuth({
    baseURL: ORIGIN,
    secret: 's'.repeat(32),
    database: memoryAdapter(database),
    // Hashing as a product does takes most of the time of these tests.
    emailAndPassword: { enabled: true, password: { hash: async (text) => text, verify: async () => true } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [
      earlyAccess({ client: fakeClient() }),
      admin(),
      anonymous(),
      magicLink({
        async sendMagicLink({ url }) {
          sent.link = url;
        },
      }),
      emailOTP({
        async sendVerificationOTP({ otp }) {
          sent.code = otp;
        },
      }),
      genericOAuth({
        config: [
          {
            providerId: 'other',
            clientId: 'client',
            clientSecret: 'secret',
            authorizationUrl: 'https://other.example/authorize',
            tokenUrl: 'https://other.example/token',
            getToken: async () => ({ accessToken: 'access' }),
            getUserInfo: async () => ({ id: '1', email: ADA, name: 'Ada', emailVerified: false }),
          },
        ],
      }),
    ],
  });

  async function send(path: string, body?: object): Promise<Response> {
    const response = await auth.handler(
      new Request(new URL(path, `${ORIGIN}/api/auth/`), {
        method: body ? 'POST' : 'GET',
        headers: {
          origin: ORIGIN,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  return { auth, database, sent, send, cookies };
}

type Product = ReturnType<typeof product>;

const PASSWORD = { email: ADA, password: 'correct horse battery', name: 'Ada' };

/** Every path of registration that better-auth and its own plugins have. Each returns the last response. */
const PATHS: Readonly<Record<string, (product: Product) => Promise<Response>>> = {
  'a password': ({ send }) => send('sign-up/email', PASSWORD),
  async 'a magic link'({ send, sent }) {
    await send('sign-in/magic-link', { email: ADA, name: 'Ada' });
    return send(sent.link);
  },
  async 'a code by email'({ send, sent }) {
    await send('email-otp/send-verification-otp', { email: ADA, type: 'sign-in' });
    return send('sign-in/email-otp', { email: ADA, otp: sent.code });
  },
  async 'another provider'({ send }) {
    const started = await send('sign-in/social', { provider: 'other', callbackURL: '/welcome' });
    const state = new URL(String(Object(await started.json()).url)).searchParams.get('state');
    return send(`callback/other?code=1&state=${state}`);
  },
  'no address at all': ({ send }) => send('sign-in/anonymous', {}),
};

describe.each(Object.entries(PATHS))('registering with %s', (_, register) => {
  it('needs an invitation, and uses it up', async () => {
    const uninvited = product();
    await register(uninvited);
    expect(uninvited.database.user).toEqual([]);

    const invited = product();
    expect((await invited.send('early-access/invite', { invite: 'good' })).status).toBe(200);
    await register(invited);
    expect(invited.database.user).toHaveLength(1);
    expect([...invited.cookies.keys()].filter((name) => name.includes('early_access'))).toEqual([]);

    invited.database.user.length = 0;
    invited.cookies.clear();
    expect(await (await invited.send('early-access/invite', { invite: 'good' })).json()).toEqual({
      result: 'used',
      message: 'This invitation has already been used. Sign in instead.',
    });
    await register(invited);
    expect(invited.database.user).toEqual([]);
  });
});

it('lets not even an admin create accounts without an invitation', async () => {
  const { auth, database } = product();
  await expect(auth.api.createUser({ body: { ...PASSWORD, role: 'admin' } })).rejects.toMatchObject({
    body: { code: 'INVITE_REQUIRED' },
  });
  expect(database.user).toEqual([]);
});

it('takes the invitation from the body too, and verifies only the address that was invited', async () => {
  const one = product();
  expect((await one.send('sign-up/email', { ...PASSWORD, invite: 'good' })).status).toBe(200);
  expect(one.database.user).toMatchObject([{ email: ADA, emailVerified: true }]);
  const other = product();
  await other.send('sign-up/email', { ...PASSWORD, email: 'eve@example.org', invite: 'good' });
  expect(other.database.user).toMatchObject([{ email: 'eve@example.org', emailVerified: false }]);
});

it('lets one of ten racing registrations in', async () => {
  const { send, database } = product();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => send('sign-up/email', { ...PASSWORD, email: `a${n}@x.io`, invite: 'good' })),
  );
  expect(database.user).toHaveLength(1);
});

it('says why, and does not use an invitation up by a mistake in the form', async () => {
  const { send, database } = product();
  for (const [invite, status, code] of [
    ['bad', 403, 'INVITE_REQUIRED'],
    ['old', 403, 'INVITE_EXPIRED'],
    ['outage', 503, 'INVITE_UNCHECKED'],
    [{ $ne: '' }, 403, 'INVITE_REQUIRED'],
  ] as const) {
    const response = await send('sign-up/email', { ...PASSWORD, invite });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  }
  expect((await send('sign-up/email', { ...PASSWORD, password: 'short', invite: 'good' })).status).toBe(400);
  expect((await send('sign-up/email', { ...PASSWORD, invite: 'good' })).status).toBe(200);
  expect(database.user).toHaveLength(1);
});
