import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { harness, ROOT } from './harness.ts';

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
  ])('answers %s with %i, for as long as it may be kept', async (url, status, cacheControl, type) => {
    const answer = await get(url);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toBe(cacheControl);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*style-src 'self' 'sha256-/);
  });

  it('names the addresses of Firestore and the functions in place of those that are built in', async () => {
    const { fake, functionsUrl } = running.local;
    expect((await get('/')).headers.get('content-security-policy')).toContain(
      `connect-src 'self' ${fake.restUrl} ${functionsUrl}`,
    );
    const changed = scripts.filter(hasAddresses);
    expect(changed).not.toEqual([]);
    for (const file of changed) {
      const answer = await get(`/assets/${file}`);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const named = new Set((await answer.text()).match(/http:\/\/127\.0\.0\.1:\d+/g));
      expect(named).toEqual(new Set([fake.restUrl, functionsUrl]));
    }
  });

  it('shows its own page for what is not there', async () => {
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

  it('reaches its function through the rewrite, and the trigger mails', async () => {
    const first = await post('ada@example.org');
    expect(first.status).toBe(201);
    expect(await first.text()).toContain('on the list!');
    expect((await post('Ada@example.org')).status).toBe(409);
    await vi.waitFor(() => expect(running.mails.map(({ to }) => to)).toEqual(['ada@example.org']));
  });

  it('keeps the policy of the function’s own page', async () => {
    const policy = (await post('not an address')).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'none'");
  });
});
