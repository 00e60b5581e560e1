import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { newToken } from '../../app/access/secrets.ts';
import { appHarness } from '../../fixtures/app-harness.ts';
import { UNBUILT_SITE } from '../pages/site/site.ts';

const TOKEN = newToken();
const ALL = {
  statusPage: true,
  dashboard: UNBUILT_SITE,
  invites: { url: new URL('https://product.example/join'), key: 'k'.repeat(32) },
} as const;

function harness(options: Parameters<typeof appHarness>[0] = ALL) {
  const { app, log, get: open } = appHarness(options);
  return { app, log, open };
}

describe('a link that a mail filter has changed', () => {
  it.each([
    [`/confirm%23token=${TOKEN}`, `/confirm#token=${TOKEN}`],
    [`/status%23token=${TOKEN}).`, `/status#token=${TOKEN}`],
    [`/invite%23invite=${TOKEN}`, `/invite#invite=${TOKEN}`],
    [`/admin%23token=${TOKEN}`, `/admin#token=${TOKEN}`],
    [`/unsubscribe%3Ftoken=${TOKEN}`, `/unsubscribe?token=${TOKEN}`],
    [`//confirm%23token=${TOKEN}`, `/confirm#token=${TOKEN}`],
  ])('%s leads to its page', async (path, location) => {
    const { open, log } = harness();
    const response = await open(path);
    expect([response.status, response.headers.get('location')]).toEqual([303, location]);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(log).toEqual([]);
  });

  it.each([
    '/confirm',
    '/confirm/',
    '/confirm?utm_source=x',
    '/status/',
    '/invite/?x=1',
    `/unsubscribe/?token=${TOKEN}`,
  ])('%s is the page itself, without a redirect, which could meet one of the host', async (path) => {
    const response = await harness().open(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('never ends in a redirect that leads nowhere', async () => {
    const { open } = harness();
    const start = fc.constantFrom('/confirm', '/unsubscribe', '/status', '/invite');
    const added = fc.constantFrom('%23', '%2523', '%20', '?', '/?', '/%23', '&', '&amp;', '%3Ftoken=', '%ff');
    const junk = fc.stringMatching(/^(?:[%#?&=/.;) -]|%23|%3F|token=|invite=){0,12}$/);
    await fc.assert(
      fc.asyncProperty(start, added, junk, fc.constantFrom('', TOKEN), async (page, first, rest, token) => {
        const { status, headers } = await open(page + first + rest + token);
        if (status === 200) return;
        expect([status, headers.get('location')?.split(/[?#]/)[0]]).toEqual([303, page]);
        expect((await open(headers.get('location') ?? '')).status).toBe(200);
      }),
      { numRuns: 100 },
    );
  });

  it('is the application’s in a host that asks, if the page is there', () => {
    const changed = ['confirm', 'unsubscribe', 'status', 'invite', 'admin'].map((page) => `/${page}%23token=${TOKEN}`);
    expect(changed.filter((path) => !harness().app.handles(path))).toEqual([]);
    expect(changed.filter((path) => harness({}).app.handles(path))).toEqual(changed.slice(0, 2));
  });

  it('is a host’s own path if the page is not there', async () => {
    const { open } = harness({});
    for (const page of ['status', 'invite', 'admin'])
      expect((await open(`/${page}%23token=${TOKEN}`)).headers.get('location')).toBeNull();
  });
});
