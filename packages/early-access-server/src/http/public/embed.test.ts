import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { ALLOWED_ORIGIN, appHarness } from '../../fixtures/app-harness.ts';
import { loadEmbed } from './embed.ts';

const NOW = `/* 2.0.0 */${'console.log(2);'.repeat(100)}`;
const BEFORE = `/* 1.0.0 */${'console.log(1);'.repeat(100)}`;
const SHARE = `/* share */${'console.log(3);'.repeat(100)}`;
const FILES = {
  'embed.json': JSON.stringify({ main: { file: 'embed-2.0.0.js' }, share: { file: 'embed-share-2.0.0.js' } }),
  'embed-2.0.0.js': NOW,
  'embed-admin-2.0.0.js': NOW,
  'embed-share-2.0.0.js': SHARE,
  'embed-2.0.0.js.map': '{}',
  'embed-1.0.0.js': BEFORE,
  'secrets.txt': 'no script',
};

async function embedApp(files: Record<string, string> = FILES) {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { app } = appHarness({ embed: await loadEmbed(folder) });
  return async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    await app.fetch(new Request(`http://localhost${path}`, { method, headers: { host: 'localhost', ...headers } }));
}

describe('the scripts for pages of other sites', () => {
  it('are served immutable under versioned names', async () => {
    const get = await embedApp();
    for (const [path, text] of [
      ['/embed-2.0.0.js', NOW],
      ['/embed-admin-2.0.0.js', NOW],
      ['/embed-1.0.0.js', BEFORE],
    ] as const) {
      const response = await get(path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, text]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    expect((await get('/embed-2.0.0.js.map')).headers.get('content-type')).toContain('application/json');
  });

  it('are cached for five minutes under the unversioned name', async () => {
    const get = await embedApp();
    const response = await get('/embed.js');
    expect(await response.text()).toBe(NOW);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const share = await get('/embed-share.js');
    expect([await share.text(), share.headers.get('cache-control')]).toEqual([SHARE, 'public, max-age=300']);
    const again = await get('/embed.js', { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const head = await get('/embed.js', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('can be verified by hash from allowed origins and run from any origin', async () => {
    const get = await embedApp();
    const allowed = await get('/embed-2.0.0.js', { origin: ALLOWED_ORIGIN });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    for (const headers of [{}, { origin: 'https://other.example' }]) {
      const response = await get('/embed-2.0.0.js', headers);
      expect(response.status).toBe(200);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
      expect(response.headers.get('vary')).toBe('Accept-Encoding, Origin');
    }
  });

  it('are compressed', async () => {
    const get = await embedApp();
    const response = await get('/embed.js', { 'accept-encoding': 'gzip, br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toBe(NOW);
  });

  it.each(['/embed.json', '/embed-3.0.0.js', '/secrets.txt', '/embed-..%2fsecrets.txt'])(
    'do not include other files in the folder: %s',
    async (path) => {
      const get = await embedApp();
      expect((await get(path)).status).toBe(503);
    },
  );

  it('return 404 if they are not built, and throw if their list is broken', async () => {
    const get = await embedApp({});
    expect((await get('/embed.js')).status).toBe(503);
    await expect(embedApp({ 'embed.json': '{}' })).rejects.toThrow('names no script');
  });
});
