import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ADMIN, harness, ROOT } from './harness.ts';

const running = harness();
const get = (url: string) => fetch(running.local.origin + url);
const ASSETS = path.join(ROOT, 'site/dist-emulator/client/assets');
const scripts = readdirSync(ASSETS).filter((file) => file.endsWith('.js'));
const hasAddresses = (file: string) => readFileSync(path.join(ASSETS, file), 'utf8').includes('http://127.0.0.1');
const unchanged = scripts.find((file) => !hasAddresses(file));

describe('the site as Hosting serves it', () => {
  it.each([
    ['/', 200, 'no-cache', 'text/html'],
    ['/nowhere/at/all', 404, 'no-cache', 'text/html'],
    ['/favicon.svg', 200, 'public, max-age=3600', 'image/svg+xml'],
    ['/robots.txt', 200, 'public, max-age=3600', 'text/plain'],
    [`/assets/${unchanged}`, 200, 'public, max-age=31536000, immutable', 'text/javascript'],
  ])('responds to %s with %i and Cache-Control %s', async (url, status, cacheControl, type) => {
    const response = await get(url);
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe(cacheControl);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*style-src 'self' 'sha256-/);
  });

  it('replaces the built-in addresses of Firestore and the functions', async () => {
    const { fake, functionsUrl } = running.local;
    expect((await get('/')).headers.get('content-security-policy')).toContain(
      `connect-src 'self' ${fake.restUrl} ${functionsUrl}`,
    );
    const changed = scripts.filter(hasAddresses);
    expect(changed).not.toEqual([]);
    for (const file of changed) {
      const response = await get(`/assets/${file}`);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const named = new Set((await response.text()).match(/http:\/\/127\.0\.0\.1:\d+/g));
      expect(named).toEqual(new Set([fake.restUrl, functionsUrl]));
    }
  });

  it('serves the site’s own 404 page', async () => {
    expect(await (await get('/nowhere')).text()).toContain('Oops! Page not found');
  });

  it('deploys neither compressed copies nor hidden files', async () => {
    for (const url of ['/index.html.br', '/index.html.gz', '/.env', '/..%2f..%2fpackage.json']) {
      expect((await get(url)).status).toBe(404);
    }
  });
});

describe('the form without scripts', () => {
  const post = (email: string) =>
    fetch(`${running.local.origin}/api/signup-form`, { method: 'POST', body: new URLSearchParams({ email }) });

  it('reaches its function through the rewrite, and the trigger sends the email', async () => {
    const first = await post('ada@example.org');
    expect(first.status).toBe(201);
    expect(await first.text()).toContain('on the list!');
    expect((await post('Ada@example.org')).status).toBe(409);
    await vi.waitFor(() => expect(running.mails.map(({ to }) => to)).toEqual(['ada@example.org']));
  });

  it('preserves the Content-Security-Policy of the function’s page', async () => {
    const policy = (await post('not an address')).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'none'");
  });
});

describe('the dashboard', () => {
  it('is at /admin, with a policy that allows the site alone', async () => {
    const moved = await fetch(`${running.local.origin}/admin?page=mail`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/admin/?page=mail']);
    const page = await get('/admin/');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self';");
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self';");
    const script = /src="(\/admin\/assets\/[^"]+)"/.exec(await page.text())?.[1];
    const loaded = await get(String(script));
    expect([loaded.status, loaded.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await get('/admin/.vite/manifest.json')).status).toBe(404);
  });

  it('signs the admin in by a link, in the cookie that Hosting passes on', async () => {
    const { origin } = running.local;
    const post = (path: string, body: unknown) =>
      fetch(`${origin}/api/admin/${path}`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post('sign-in', { email: ADMIN })).status).toBe(202);
    const token = await vi.waitFor(
      () => {
        const link = running.mails.find(({ to }) => to === ADMIN);
        return /#token=([\w-]{43})/.exec(String(link?.text))?.[1] ?? expect.fail('no link yet');
      },
      { timeout: 10_000 },
    );
    const opened = await post('session', { token });
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0];
    const session = (headers: Record<string, string>) => fetch(`${origin}/api/admin/session`, { headers });
    expect(await (await session({ cookie: `other=1; ${cookie}` })).json()).toMatchObject({ email: ADMIN });
    expect((await session({})).status).toBe(401);
    expect((await post('session', { token })).status).toBe(401);
  });
});
