import { signupOf } from '@early-access-kit/testkit/records';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import type { RouteContextOptions } from '../routing/request-context.ts';
import { createEarlyAccess, createHandler } from './early-access.ts';
import type { EarlyAccessOptions } from './options.ts';

function create(options: object) {
  const app = createEarlyAccess({ store: tempStore().store, ...options });
  const signUp = (origin: string, host = 'early.example', email = 'ada@example.org') =>
    app.fetch(
      new Request('http://localhost/api/signups', {
        method: 'POST',
        headers: { host, origin, 'content-type': 'application/json' },
        body: JSON.stringify(signupOf({ email })),
      }),
    );
  return { app, status: async (...args: Parameters<typeof signUp>) => (await signUp(...args)).status };
}

function readError(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('it threw no ConfigError');
}

it.each<[string, () => unknown, string]>([
  ['options that were not awaited', () => Promise.resolve({}), 'the options are a promise: await optionsFromEnv(…)'],
  ['spread options that were not awaited', () => ({ ...Promise.resolve({}) }), 'store must be a store, such as'],
  ['no options', () => undefined, 'store must be a store, such as'],
  [
    'the file of a store',
    () => ({ store: 'data/list.sqlite' }),
    'store must be a store, such as sqliteStore({ file })',
  ],
  ['a store that was not awaited', () => ({ store: Promise.resolve({}) }), 'store is a promise: await it'],
  ['a store instead of options', () => tempStore().store, 'this is a store: pass it as an option'],
  [
    'mail without a sender',
    () => ({ store: tempStore().store, mail: { transport: { deliver: () => {} } } }),
    'mail.from (MAIL_FROM) is missing',
  ],
  [
    'mail without a transport',
    () => ({ store: tempStore().store, mail: { from: 'hello@example.com', transport: 'smtp://x' } }),
    'mail.transport must be a transport, such as smtpTransport({ url })',
  ],
])('JavaScript that passes %s gets an error that says so', (_, make, message) => {
  expect(readError(() => Reflect.apply(createEarlyAccess, undefined, [make()]))).toContain(
    `early-access-server: createEarlyAccess: ${message}`,
  );
});

describe('the options of createEarlyAccess', () => {
  const transport = { deliver: async () => ({ outcome: 'sent' }) as const, close: async () => {} };
  const mail = { transport, from: 'hello@example.com' };

  it.each<[object, string]>([
    [{ allowedOrigin: ['https://x.org'] }, 'there is no option allowedOrigin; did you mean allowedOrigins?'],
    [{ port: 4173 }, 'there is no option port'],
    [{ toString: 1 }, 'there is no option toString'],
    [{ mail: { ...mail, replyto: 'a@example.com' } }, 'there is no option mail.replyto; did you mean mail.replyTo?'],
    [
      { rateLimits: { signup: { burst: 1, perMinute: 1 } } },
      'there is no option rateLimits.signup; did you mean rateLimits.signups?',
    ],
    [{ brand: { name: 'Acme', color: 'red' } }, 'there is no option brand.color; did you mean brand.colors?'],
    [
      { allowedOrigins: ['https://x.org', 'x.org'] },
      'allowedOrigins (ALLOWED_ORIGINS) must list origins such as https://www.example.com, or https://*.example.com for any one label before .example.com, not "https://x.org,x.org"',
    ],
    [
      {
        publicUrl: new URL('https://acme.example'),
        invites: { url: new URL('https://acme.example/invite/?x=1'), key: null },
      },
      'invites.url (INVITE_URL) must be a page of the product: /invite is the page of this server that leads to it',
    ],
    [{ trustProxy: -1 }, 'trustProxy (TRUST_PROXY) must be a whole number from 0 to 10, not "-1"'],
    [{ retentionDays: 7 }, 'retentionDays (RETENTION_DAYS) must be a whole number from 31 to 36500, not "7"'],
    [
      { adminEmail: ['ada@example.org', 'ada'] },
      'adminEmail (ADMIN_EMAIL) must be an email address, several separated by commas, or empty',
    ],
    [{ publicUrl: 'https://x.org' }, "publicUrl must be a URL object, such as new URL('https://x.org')"],
    [
      { publicUrl: new URL('ftp://x.org') },
      'publicUrl (PUBLIC_URL) must look like https://www.example.com, without a path, not "ftp://x.org/"',
    ],
    [
      { invites: { url: new URL('https://x.org/join'), key: 'short' } },
      'invites.key (INVITE_KEY) must have at least 32 characters, such as the output of "openssl rand -hex 32"',
    ],
    [
      { mail: { ...mail, from: 'Acme' } },
      'mail.from (MAIL_FROM) must look like hello@example.com or Name <hello@example.com>',
    ],
    [
      { hostedForms: { origins: ['shop.example'] } },
      'hostedForms.origins (FORM_ORIGINS) must list origins such as https://www.example.com, or https://*.example.com for any one label before .example.com, not "shop.example"',
    ],
    [
      { hostedForms: { keys: { wix: 'short' } } },
      'hostedForms.keys (FORM_KEYS) must list a source and a key of at least 20 letters, digits, - and _ each, such as wix-shop:4hVt0qP9sLmZ2xYw7bKd, with sources that differ, not "wix:short"',
    ],
    [{ brand: { name: '' } }, 'brand.name (BRAND_NAME) must be one line of 1 to 80 characters'],
  ])('%j: %s', (options, message) => {
    expect(readError(() => create(options))).toBe(`early-access-server: createEarlyAccess: ${message}`);
  });

  it('may be undefined or empty', () => {
    const options: Partial<EarlyAccessOptions> = { adminEmail: '', publicUrl: undefined, allowedOrigins: [] };
    expect(() =>
      create({ ...options, retentionDays: 'by-database', mail: undefined, unknown: undefined }),
    ).not.toThrow();
  });

  it.each<[string, Iterable<string>]>([
    ['a list', ['https://x.org/', 'https://*.y.org/']],
    ['a set', new Set(['https://x.org/', 'https://*.y.org'])],
    ['an iterator, which has its values once', ['https://x.org/', 'https://*.y.org/'].values()],
    ['a text, as in the setting', 'https://x.org/, https://*.y.org/'],
  ])('allow the pages of origins that end with a slash, in %s', async (_, allowedOrigins) => {
    const { status } = create({ allowedOrigins });
    expect(await Promise.all([status('https://x.org'), status('https://a.y.org'), status('https://z.org')])).toEqual([
      201, 200, 403,
    ]);
  });

  it('allow pages of this machine on any port while the application runs on it', async () => {
    const local = create({});
    expect(await local.status('http://127.0.0.1:5173', 'localhost:4173')).toBe(201);
    expect(await local.status('http://localhost:5173', 'early.example')).toBe(403);
    const deployed = create({ publicUrl: new URL('https://early.example') });
    expect(await deployed.status('http://localhost:5173', 'localhost:4173')).toBe(403);
    const proxied = create({ trustProxy: 1 });
    expect(await proxied.status('http://localhost:5173', 'localhost:4173')).toBe(403);
  });
});

it('the options of createHandler are checked, too', () => {
  const options: RouteContextOptions & { adminEmail: string } = { adminEmail: 'ada@example.org' };
  expect(readError(() => createHandler(memoryAdapter(), options))).toBe(
    'early-access-server: createHandler: there is no option adminEmail',
  );
});
