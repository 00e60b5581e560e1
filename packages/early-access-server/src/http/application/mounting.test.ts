import { signupOf } from '@early-access-kit/testkit/records';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { JOBS_LATE_MS } from '../../app/jobs/late-jobs.ts';
import type { LogFields } from '../../app/ports/log.ts';
import type { MailTransport } from '../../app/ports/mail-transport.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { makeAsset } from '../pages/site/asset.ts';
import { UNBUILT_SITE } from '../pages/site/site.ts';
import { hasBearer } from '../routing/api-key-access.ts';
import type { RequestSource } from '../routing/request-context.ts';
import { createEarlyAccess } from './early-access.ts';
import type { EarlyAccessOptions } from './options.ts';

const transport = { deliver: async () => ({ outcome: 'sent' }) as const, close: async () => {} };

function mounted(options: Partial<EarlyAccessOptions> = {}) {
  const { store } = tempStore();
  const mistakes: LogFields[] = [];
  const earlyAccess = createEarlyAccess({
    store,
    mail: { transport, from: 'hello@example.com' },
    log: (_level, event, fields = {}) => void (event === 'mount-mistake' && mistakes.push(fields)),
    ...options,
  });
  onTestFinished(() => earlyAccess.stop());
  return {
    store,
    earlyAccess,
    mistakes: () => mistakes.map(({ mistake }) => mistake),
    signUp: async (path = '/api/signups', source?: RequestSource, headers: Record<string, string> = {}) =>
      earlyAccess.fetch(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(signupOf()),
        }),
        source,
      ),
  };
}

const CLIENT = { clientAddress: '192.0.2.1' };

describe('handles', () => {
  it('the application’s paths, and leaves all others to the host', () => {
    const { earlyAccess } = mounted({ dashboard: UNBUILT_SITE });
    const own = [
      '/api/signups',
      '/api/sessions/a',
      '/api/admin/session',
      '/api/invites/redeem',
      '/api/mail-events/postmark',
      '/confirm',
      '/admin/x',
    ];
    expect(own.filter((path) => !earlyAccess.handles(path))).toEqual([]);
    const others = ['/', '/api', '/api/other', '/api/admin', '/signups', '/administration', '/confirm/x', '/healthz'];
    expect(others.filter((path) => earlyAccess.handles(path))).toEqual([]);
  });

  it('leaves /admin to a host that serves no dashboard', () => {
    expect(mounted().earlyAccess.handles('/admin')).toBe(false);
  });
});

describe('a wrong path', () => {
  it.each([
    ['/signups', 'path-stripped', 'removes /api'],
    ['/early-access/api/signups', 'path-prefixed', 'at the root of its origin'],
  ])('%s is refused with what to do, and logged once', async (path, mistake, fix) => {
    const { signUp, mistakes } = mounted();
    for (const _ of [1, 2]) {
      const response = await signUp(path, CLIENT);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(fix) } });
    }
    expect(mistakes()).toEqual([mistake]);
  });

  it('is also found by a host that asks whose path it is', () => {
    const { earlyAccess, mistakes } = mounted();
    expect(earlyAccess.handles('/early-access/api/signups')).toBe(false);
    expect(mistakes()).toEqual(['path-prefixed']);
  });
});

describe('the client’s address', () => {
  const rateLimits = { signups: { burst: 1, perMinute: 1 } };

  it('is never taken from a header by itself: without an address all visitors share one limit, which is logged once', async () => {
    const { signUp, mistakes } = mounted({ rateLimits });
    const statuses = [];
    for (const forwarded of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      statuses.push((await signUp('/api/signups', undefined, { 'x-forwarded-for': forwarded })).status);
    }
    expect(statuses).toEqual([201, 429, 429]);
    expect(mistakes()).toEqual(['client-unknown']);
  });

  it('is asked for if a proxy names visitors and none is trusted, but not on this machine or of a host that passes the address', async () => {
    const { signUp, mistakes } = mounted();
    const socket = { incoming: { socket: { remoteAddress: '10.0.0.1' } } };
    await signUp('/api/signups', socket);
    await signUp('/api/signups', socket, { 'x-forwarded-for': '127.0.0.1' });
    await signUp('/api/signups', CLIENT, { 'x-forwarded-for': '192.0.2.7' });
    expect(mistakes()).toEqual([]);
    await signUp('/api/signups', socket, { 'x-forwarded-for': '192.0.2.7' });
    expect(mistakes()).toEqual(['proxy-not-trusted']);
  });

  it.each([
    [1, ['clients-share-address']],
    [2, []],
  ])(
    'with %i trusted proxies, behind two, leads to %j once a hundred visitors have come',
    async (trustProxy, expected) => {
      const { signUp, mistakes } = mounted({ trustProxy, publicUrl: new URL('https://early.example.com') });
      for (let visitor = 0; visitor < 100; visitor += 1) {
        // Fly names the address of the visitor, and its own.
        await signUp(
          '/api/signups',
          {},
          { 'x-forwarded-for': `192.0.2.${visitor}, 203.0.113.1`, host: 'early.example.com' },
        );
        if (visitor < 60) expect(mistakes()).toEqual([]);
      }
      expect(mistakes()).toEqual(expected);
    },
  );

  it('comes from the proxies that the host trusts', async () => {
    const { signUp, mistakes } = mounted({ rateLimits, trustProxy: 1 });
    expect((await signUp('/api/signups', {}, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(201);
    expect((await signUp('/api/signups', {}, { 'x-forwarded-for': '192.0.2.2' })).status).toBe(201);
    expect(mistakes()).toEqual([]);
  });
});

describe('jobs that nobody runs', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('are logged once emails have been due for long', async () => {
    const { signUp, mistakes } = mounted();
    await signUp(undefined, CLIENT);
    await vi.advanceTimersByTimeAsync(JOBS_LATE_MS);
    expect(mistakes()).toEqual(['jobs-not-running']);
  });

  it('are not missed if a cron job runs them, here or in another process', async () => {
    const { store, signUp, earlyAccess, mistakes } = mounted();
    await signUp(undefined, CLIENT);
    await earlyAccess.runJobs();
    const other = mounted({ store });
    await other.signUp(undefined, CLIENT);
    await earlyAccess.runJobs();
    await vi.advanceTimersByTimeAsync(2 * JOBS_LATE_MS);
    expect([mistakes(), other.mistakes()]).toEqual([[], []]);
  });

  it('are not missed while the hour’s quota is spent', async () => {
    vi.setSystemTime(new Date('2030-01-01T12:00:00Z'));
    const { store } = tempStore({ mailsPerHour: 1 });
    const { signUp, earlyAccess, mistakes } = mounted({ store });
    await signUp(undefined, CLIENT);
    await signUp(undefined, CLIENT);
    await earlyAccess.runJobs();
    await signUp(undefined, CLIENT);
    await vi.advanceTimersByTimeAsync(JOBS_LATE_MS);
    expect(mistakes()).toEqual([]);
  });
});

it('starts the jobs once, however often a host calls `start`', async () => {
  const sent: string[] = [];
  const deliver: MailTransport['deliver'] = async ({ to }) => {
    sent.push(to);
    return { outcome: 'sent' };
  };
  const { store, earlyAccess, signUp } = mounted({
    mail: { from: 'hello@example.com', transport: { ...transport, deliver } },
  });
  earlyAccess.start();
  earlyAccess.start();
  await signUp(undefined, CLIENT);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  // Jobs that were started twice would continue after the stop.
  await earlyAccess.stop(1_000);
  await signUp(undefined, CLIENT);
  expect(await store.mails.counts()).toEqual(
    new Map([
      ['sent', 1],
      ['queued', 1],
    ]),
  );
});

it('sends the dashboard uncompressed to Next.js, which drops the header that names the encoding', async () => {
  const index = await makeAsset('index.html', new TextEncoder().encode('a page '.repeat(100)), {});
  const { earlyAccess } = mounted({
    dashboard: { ...UNBUILT_SITE, assets: new Map([['/', index]]), isBuilt: true },
  });
  const request = new Request('http://localhost/admin', { headers: { 'accept-encoding': 'br' } });
  const readEncoding = async (sent: Request) => (await earlyAccess.fetch(sent)).headers.get('content-encoding');
  expect(await readEncoding(request)).toBe('br');
  expect(await readEncoding(Object.assign(new Request(request), { nextUrl: new URL(request.url) }))).toBeNull();
});

it.each([
  ['Bearer secret', 'secret', true],
  ['Bearer secret.', 'secret', false],
  ['secret', 'secret', false],
  ['Bearer ', '', false],
  ['Bearer undefined', undefined, false],
])('the header %j with the secret %j: %j', (authorization, secret, expected) => {
  expect(hasBearer(new Request('http://localhost', { headers: { authorization } }), secret)).toBe(expected);
});
