import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { harness } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const b = await harness();
const get = (name: string, path: string) => fetch(b.functions.functionUrl(name) + path);
const page = () => httpAdapter({ endpoint: `${b.functions.functionUrl('accept-signups')}/api`, deadlineMs: 60_000 });

describe('public routes', () => {
  const ALL = {
    signupCount: { smallest: 1, rounding: 'exact' },
    hostedForms: { joinPage: true, origins: ['https://shop.example'] },
    statusPage: true,
    agentDocs: true,
  } as const;
  const ROUTES = [
    ['accept-signups', '/api/count'],
    ['accept-signups', '/join'],
    ['accept-signups', '/join/qr.svg'],
    ['accept-signups', '/form'],
    ['links', '/status'],
    ['admin', '/skill.md'],
    ['admin', '/llms.txt'],
  ] as const;

  it('only exist if their settings are on', async () => {
    for (const [name, path] of ROUTES) expect([path, (await get(name, path)).status]).toEqual([path, 404]);
    await b.deploy({ publicRoutes: ALL });
    for (const [name, path] of ROUTES) expect([path, (await get(name, path)).status]).toEqual([path, 200]);
    expect(await (await get('admin', '/skill.md')).text()).toContain('GET /api/admin/people');
  });

  it('report whether the database responds, with any settings', async () => {
    await b.deploy({ unusable: ['publicUrl', 'publicRoutes', 'mail'] });
    const response = await get('links', '/healthz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('settings of signups', () => {
  it('let pages of other sites sign people up', async () => {
    await b.deploy({ publicRoutes: { allowedOrigins: ['https://shop.example'] } });
    const post = (origin: string) =>
      fetch(`${b.functions.functionUrl('accept-signups')}/api/signups`, {
        method: 'POST',
        body: JSON.stringify(signupOf()),
        headers: { origin },
      });
    const allowed = await post('https://shop.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([201, 'https://shop.example']);
    expect((await post('https://elsewhere.example')).status).toBe(403);
  });

  it('reject temporary mailboxes, domains without email, and addresses that match the admin’s rules, with a text for the visitor', async () => {
    const dns = { resolve: async (domain: string) => (domain === 'nowhere.example' ? null : ['192.0.2.1']) };
    const addressRules = { accept: ['partner.nowhere.example'], block: ['rival.example'], businessOnly: true };
    await b.deploy({ publicRoutes: { blockDisposable: true, addressRules, checkMx: dns } });
    const refused = ['mailinator.com', 'nowhere.example', 'mail.rival.example', 'gmail.com'];
    for (const email of refused.map((domain) => `ada@${domain}`)) {
      await expect(page().createSignup(signupOf({ email }))).rejects.toMatchObject({
        code: 'invalid',
        visitorText: expect.any(String),
      });
    }
    expect(await b.database.list('email_signups')).toEqual([]);
    expect(await page().createSignup(signupOf({ email: 'ada@partner.nowhere.example' }))).toBe('created');
  });

  it('can disable the welcome email, for all signups', async () => {
    await b.deploy({ welcomeEmail: false });
    await page().createSignup(signupOf({ email: ADA }));
    await b.signUp('bob@example.org');
    for (const email of [ADA, 'bob@example.org']) {
      expect((await b.deliver(signupId(email))).status).toBe(204);
      expect(await b.mail(signupId(email))).toBeUndefined();
    }
    expect((await b.sweep()).status).toBe(200);
    expect(b.mailServer.recipients).toEqual([]);
  });
});

it('sessions of pages without the Firestore adapter are stored, and their limits are counted by the instance, without a document', async () => {
  const session = sessionOf({ session_start: b.clock.now });
  await page().startSession(session);
  await page().updateSession(session.id, updateOf(session, { page_count: 2 }));
  expect(await b.database.list('sessions')).toHaveLength(1);
  expect(await b.database.list('throttles')).toEqual([]);
  await b.deploy({ rateLimits: { sessions: { burst: 1, perMinute: 1 } } });
  await page().startSession(sessionOf());
  await expect(page().startSession(sessionOf())).rejects.toMatchObject({ code: 'rate-limited' });
});
