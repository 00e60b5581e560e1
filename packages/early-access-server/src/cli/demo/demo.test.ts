import { existsSync, readdirSync } from 'node:fs';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EVERYONE } from '../../app/people/people.ts';
import type { Store } from '../../app/ports/store.ts';
import { run, startChild } from '../../fixtures/child-server.ts';
import { optionsFromEnv } from '../options-from-env.ts';
import { openDemo } from './demo.ts';
import { openSamples } from './sample-data.ts';

const ORIGIN = 'https://demo.example';
const SECRET = 'typed-by-a-visitor';
const EMAIL = `${SECRET}@example.net`;

async function startDemo() {
  const store = await openSamples();
  const log = vi.fn();
  const demo = await openDemo({ store, log, publicUrl: new URL(ORIGIN), trustProxy: 1 });
  onTestFinished(() => demo.stop());
  const call = async (method: string, path: string, body?: unknown) => {
    const request = new Request(ORIGIN + path, {
      method,
      headers: { Origin: ORIGIN, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await demo.fetch(request, { clientAddress: '192.0.2.1' });
    return { status: response.status, text: await response.text() };
  };
  return {
    demo,
    store,
    log,
    call,
    signUp: (fields = {}) => call('POST', '/api/signups', signupOf({ email: EMAIL, ...fields })),
  };
}

/** The routes of the admin, from the description that tests hold to the routes. The id names nothing. */
async function listAdminRoutes(call: Awaited<ReturnType<typeof startDemo>>['call']) {
  const { paths } = JSON.parse((await call('GET', '/api/openapi.json')).text);
  return Object.entries<Record<string, object>>(paths).flatMap(([path, methods]) =>
    path.startsWith('/api/admin')
      ? Object.entries(methods).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path: path.replace('{id}', 'x'),
          isRead: method === 'get' || 'x-read-only' in operation,
        }))
      : [],
  );
}

async function readContent(store: Store) {
  return {
    people: await Array.fromAsync(store.people.all(EVERYONE)),
    list: await store.list.counts(),
    mails: await store.mails.counts(),
    campaigns: await store.campaigns.list(),
    segments: await store.segments.list(),
    webhooks: await store.webhooks.list(),
    apiKeys: await store.apiKeys.list(),
    sessions: await store.admin.sessions(),
    settings: await store.admin.settings('admin@example.com'),
    audit: await store.admin.audit(10),
  };
}

describe('a public demo', () => {
  it('shows everyone a dashboard with made-up people, figures and emails', async () => {
    const { call } = await startDemo();
    expect(JSON.parse((await call('GET', '/api/admin/session')).text)).toMatchObject({ email: 'admin@example.com' });
    const { people } = JSON.parse((await call('GET', '/api/admin/people')).text);
    expect(people.length).toBeGreaterThan(20);
    expect(people.every(({ email }: { email: string }) => email.endsWith('@example.org'))).toBe(true);
    const summary = await call('POST', '/api/summary', { admin_email: 'admin@example.com' });
    expect(JSON.parse(summary.text).email_signups).toBeGreaterThan(100);
  });

  it('refuses every change by the dashboard, and changes nothing', async () => {
    const { call, store } = await startDemo();
    const before = await readContent(store);
    const changes = (await listAdminRoutes(call)).filter(({ isRead }) => !isRead);
    expect(changes.length).toBeGreaterThan(30);
    for (const { method, path } of changes) {
      expect([path, await call(method, path, {})]).toMatchObject([path, { status: 409 }]);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await call(method, '/api/admin/people')).status).toBe(409);
    }
    expect(await readContent(store)).toEqual(before);
  });

  it('cannot be changed by another spelling of a path', async () => {
    const { call } = await startDemo();
    for (const path of ['//api/admin/people', '/api//admin/people', '/api/x/../admin/people', '/API/admin/people']) {
      const { status } = await call('POST', path, { email: EMAIL, state: 'subscribed' });
      expect([path, status >= 400]).toEqual([path, true]);
    }
  });

  it('shows no visitor what another one has typed', async () => {
    const { call, signUp } = await startDemo();
    const session = sessionOf({
      utm_source: SECRET,
      referrer: `https://${SECRET}.example/`,
      landing_path: `/${SECRET}`,
    });
    await call('POST', `/api/sessions/${session.id}`, updateOf(session, { page_count: 2, page_path: `/${SECRET}` }));
    expect(JSON.parse((await signUp({ utm_campaign: SECRET, session_id: session.id })).text)).toEqual({
      result: 'created',
    });
    expect(JSON.parse((await signUp()).text)).toEqual({ result: 'duplicate' });
    const reads = (await listAdminRoutes(call)).filter(({ isRead }) => isRead);
    expect(reads.length).toBeGreaterThan(15);
    for (const { method, path } of reads) {
      const { status, text } = await call(method, path, method === 'POST' ? {} : undefined);
      expect([path, [401, 409].includes(status)]).toEqual([path, false]);
      expect([path, text.includes(SECRET)]).toEqual([path, false]);
    }
    const found = await call('POST', '/api/admin/people/search', { search: SECRET });
    expect(found).toMatchObject({ status: 200, text: expect.stringContaining('"people":[]') });
  });

  it('forgets every hour what visitors have typed, and dates its data anew', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { demo, log, call, signUp } = await startDemo();
    demo.start();
    await signUp();
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(JSON.parse((await signUp()).text)).toEqual({ result: 'duplicate' });
    vi.advanceTimersByTime(1);
    expect(JSON.parse((await signUp()).text)).toEqual({ result: 'created' });
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith('info', 'demo-reset'));
    expect((await call('GET', '/api/admin/people')).status).toBe(200);
  });

  it('writes no file and sends no email, and ends at SIGTERM', async () => {
    const folder = tempFolder();
    const { url, end, finished } = await startChild({ DEMO: 'on', DATA_DIR: folder, JOIN_PAGE: 'on' });
    const body = JSON.stringify(signupOf({ email: EMAIL }));
    const response = await fetch(`${url}/api/signups`, { method: 'POST', body });
    expect(await response.json()).toEqual({ result: 'created' });
    await fetch(`${url}/api/welcome-email`, { method: 'POST', body: JSON.stringify({ email: EMAIL }) });
    expect((await fetch(`${url}/api/admin/people`)).status).toBe(200);
    expect((await fetch(`${url}/join`)).status).toBe(200);
    await end('SIGTERM');
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(stdout).toContain('(DEMO)');
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(':memory:')).toBe(false);
  });

  it.each([
    { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@b.c', PUBLIC_URL: ORIGIN },
    { DATABASE_URL: 'postgres://u:p@h/d' },
  ])('does not start with %j', async (env) => {
    const { code, stderr } = await run([], { DEMO: 'on', PORT: '0', ...env }).finished;
    expect([code, stderr]).toEqual([1, expect.stringContaining('DEMO is on, so SMTP_URL and DATABASE_URL must not')]);
  });

  it('is refused inside a host', async () => {
    await expect(optionsFromEnv({ DEMO: 'on' })).rejects.toThrow('DEMO must be off here');
  });
});
