import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, vi } from 'vitest';
import type { HostedForms } from '../../../app/access/form-frames.ts';
import type { Log } from '../../../app/ports/log.ts';
import { tempStore } from '../../../fixtures/temp-store.ts';
import { type App, createRoutes } from '../../application/routes.ts';
import { loadSite } from './site.ts';

const HOME = `<!doctype html><title>Home</title>${'<p>Prints and prices. '.repeat(100)}`;
const LOST = `<!doctype html><title>Lost</title>${'<p>Oops! Page not found. '.repeat(100)}`;
const SCRIPT = 'console.log("hydrated");'.repeat(100);
const HASH = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const FILES = {
  'client/index.html': HOME,
  'client/404.html': LOST,
  'client/privacy.html': HOME,
  'client/press/index.html': HOME,
  'client/robots.txt': 'User-agent: *',
  'client/assets/index-a1b2c3.js': SCRIPT,
  'client/assets/ready-d4e5f6.js': SCRIPT,
  'client/assets/ready-d4e5f6.js.br': 'made by the build',
  'client/assets/paper.webp': SCRIPT,
  'client/.env': 'SECRET=1',
  'client/.vite/manifest.json': '{}',
  'policy.json': JSON.stringify({ styleHashes: [HASH], scriptHashes: [] }),
};

/** Writes a build and returns an app that serves it. */
async function siteApp(
  files: Record<string, string | Buffer> = FILES,
  publicUrl: URL | undefined = undefined,
  hostedForms: HostedForms = {},
  { policy, log }: { readonly policy?: string; readonly log?: Log } = {},
): Promise<App> {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const site = await loadSite(join(folder, 'client'), { policy });
  return createRoutes({ store: tempStore().store, wakeMail: () => {}, site, publicUrl, hostedForms, log });
}

async function get(app: App, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return await app.fetch(new Request(`http://localhost${path}`, { method, headers }));
}

describe('the site', () => {
  it('serves a page at its clean path, with revalidation', async () => {
    const app = await siteApp();
    for (const path of ['/', '/?utm_source=x', '/privacy', '/press', '/press/']) {
      const response = await get(app, path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, HOME]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('serves the 404 page with status 404 at every other path', async () => {
    const app = await siteApp();
    const paths = [
      '/nothing',
      '/index.html',
      '/404.html',
      '/assets/',
      '/policy.json',
      '/privacy.html',
      '/assets/ready-d4e5f6.js.br',
    ];
    for (const path of paths) {
      const response = await get(app, path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, LOST]);
    }
  });

  it.each([
    '/.env',
    '/.vite/manifest.json',
    '/../policy.json',
    '/..%2fpolicy.json',
    '/%2e%2e/policy.json',
    '/assets/..%5c..%5cpolicy.json',
    '//etc/passwd',
    '/%00',
    '/%',
    '/%E0%A4%A',
    '/__proto__',
    '/constructor',
  ])('returns 404 for %s', async (path) => {
    const app = await siteApp();
    expect((await get(app, path)).status).toBe(404);
  });

  it('caches hashed assets permanently and other files for an hour', async () => {
    const app = await siteApp();
    const asset = await get(app, '/assets/index-a1b2c3.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const robots = await get(app, '/robots.txt');
    expect(robots.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  it('serves a file that the build left compressed only, in every encoding', async () => {
    const bytes = brotliCompressSync(SCRIPT);
    const app = await siteApp({ 'client/index.html.br': brotliCompressSync(HOME), 'client/assets/a.js.br': bytes });
    const plain = await get(app, '/assets/a.js');
    expect([plain.headers.get('content-type'), await plain.text()]).toEqual(['text/javascript; charset=utf-8', SCRIPT]);
    const gzip = await get(app, '/assets/a.js', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(SCRIPT);
    const br = await get(app, '/assets/a.js', { 'accept-encoding': 'br' });
    expect(Buffer.from(await br.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await get(app, '/assets/a.js.br')).status).toBe(404);
    expect(await (await get(app, '/')).text()).toBe(HOME);
  });

  it('compresses compressible files in the encoding that the client prefers', async () => {
    const app = await siteApp();
    const br = await get(app, '/', { 'accept-encoding': 'gzip, br' });
    expect(br.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(await br.arrayBuffer()).toString()).toBe(HOME);
    const gzip = await get(app, '/', { 'accept-encoding': 'gzip, br;q=0.2' });
    expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(HOME);
    const plain = await get(app, '/');
    expect([plain.headers.has('content-encoding'), await plain.text()]).toEqual([false, HOME]);
    for (const response of [br, gzip, plain]) expect(response.headers.get('vary')).toBe('Accept-Encoding');
    const image = await get(app, '/assets/paper.webp', { 'accept-encoding': 'br' });
    expect(image.headers.has('content-encoding')).toBe(false);
  });

  it('prefers files that the build compressed', async () => {
    const response = await get(await siteApp(), '/assets/ready-d4e5f6.js', { 'accept-encoding': 'br' });
    expect(await response.text()).toBe('made by the build');
  });

  it('returns 304 if the client has the current version in this encoding', async () => {
    const app = await siteApp();
    const etag = (await get(app, '/')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get(app, '/', { 'if-none-match': known });
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await get(app, '/', { 'if-none-match': etag, 'accept-encoding': 'br' })).status).toBe(200);
    expect((await get(app, '/', { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get(app, '/nothing', { 'if-none-match': '*' })).status).toBe(404);
  });

  it('responds to HEAD like GET without the body', async () => {
    const app = await siteApp();
    const [head, whole] = [await get(app, '/', {}, 'HEAD'), await get(app, '/')];
    expect(await head.text()).toBe('');
    expect([...head.headers]).toEqual([...whole.headers]);
    expect(head.headers.get('content-length')).toBe(String(HOME.length));
  });

  it('returns 405 for other methods', async () => {
    const response = await get(await siteApp(), '/', {}, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('allows its pages only their own origin and the inline styles of the build', async () => {
    const app = await siteApp();
    for (const path of ['/', '/nothing']) {
      const { headers } = await get(app, path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; " +
          `style-src 'self' '${HASH}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; ` +
          "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.has('strict-transport-security')).toBe(false);
    }
  });

  const OPEN = {
    'client/index.html': `<!doctype html><link rel="stylesheet" href="https://fonts.example/css">
      <style>body { margin: 0 }</style><img src="https://images.example/a.png"><script>start()</script>
      <link rel="canonical" href="https://www.example.com/"><script type="application/ld+json">{}</script>`,
    'client/own.css':
      '@font-face { src: url(https://files.example/own.woff2) } body { background: url(data:image/gif,x) }',
  };

  it('logs what its policy blocks, and nothing for a site that it fits', async () => {
    const log = vi.fn<Log>();
    await siteApp(FILES, undefined, {}, { log });
    expect(log).not.toHaveBeenCalled();
    await siteApp(OPEN, undefined, {}, { log });
    const blocked =
      'style-src https://fonts.example, style-src inline, img-src https://images.example, script-src inline, font-src https://files.example';
    expect(log.mock.calls).toEqual([['warn', 'site-policy', { blocked, fix: expect.stringMatching(/SITE_POLICY/) }]]);
  });

  it.each([
    ['off', "frame-ancestors 'none'"],
    ["default-src * data: 'unsafe-inline'", "default-src * data: 'unsafe-inline'"],
  ])('with the policy %s, nothing else restricts its pages', async (policy, sent) => {
    const log = vi.fn<Log>();
    const { headers } = await get(await siteApp(OPEN, undefined, {}, { policy, log }), '/');
    expect(headers.get('content-security-policy')).toBe(sent);
    expect(headers.has('permissions-policy')).toBe(false);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(log).not.toHaveBeenCalled();
  });

  it('sends HSTS if visitors reach it over TLS', async () => {
    const app = await siteApp(FILES, new URL('https://www.example.com'));
    for (const path of ['/', '/robots.txt']) {
      expect((await get(app, path)).headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
  });

  it('explains how to build it if it is not built, and serves the API', async () => {
    const app = await siteApp({});
    const response = await get(app, '/');
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringMatching(/npm run build.*development server.*localhost:5173/s),
    ]);
    expect((await get(app, '/healthz')).status).toBe(200);
  });

  it('lets pages of every origin use its fonts if a form may be in a sandboxed frame, and nothing else', async () => {
    const files = { ...FILES, 'client/assets/own-1.woff2': 'font' };
    const readOrigin = async (app: App, path: string) =>
      (await get(app, path)).headers.get('access-control-allow-origin');
    const framed = await siteApp(files, undefined, { keys: { shop: 'k'.repeat(24) } });
    expect(await readOrigin(framed, '/assets/own-1.woff2')).toBe('*');
    for (const path of ['/', '/robots.txt', '/assets/paper.webp']) expect(await readOrigin(framed, path)).toBeNull();
    expect(await readOrigin(await siteApp(files), '/assets/own-1.woff2')).toBeNull();
  });

  it('returns 404 at every path if there is no site, and serves the API', async () => {
    const app = createRoutes({ store: tempStore().store, wakeMail: () => {} });
    for (const path of ['/', '/index.html']) expect((await get(app, path)).status).toBe(404);
    expect((await get(app, '/healthz')).status).toBe(200);
  });

  it.each(['{"styleHashes": ["x; script-src *"]}', '{"styleHashes": "sha256-x"}', '{'])(
    'refuses the policy %s',
    async (policy) => {
      await expect(siteApp({ ...FILES, 'policy.json': policy })).rejects.toThrow();
    },
  );
});
