import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { loadSite, UNBUILT_SITE } from './site/site.ts';

async function builtDashboard() {
  const folder = join(tempFolder(), 'dashboard');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Dashboard</title>');
  await writeFile(join(folder, 'assets/index-abc123.js'), 'start()');
  return loadSite(folder);
}

async function get(path: string, options: Parameters<typeof adminHarness>[0]) {
  const { app } = adminHarness(options);
  return app.fetch(new Request(`http://localhost:4173${path}`));
}

describe('the dashboard', () => {
  it.each(['/admin', '/admin/', '/admin/people', '/admin/people?search=ada'])('is one page, at %s', async (path) => {
    const response = await get(path, { dashboard: await builtDashboard() });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>Dashboard</title>');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  it('has files that are stored for ever, and no others', async () => {
    const dashboard = await builtDashboard();
    const script = await get('/admin/assets/index-abc123.js', { dashboard });
    expect([script.status, await script.text()]).toEqual([200, 'start()']);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/admin/assets/index-older.js', { dashboard })).status).toBe(404);
    expect((await get('/administration', { dashboard })).status).toBe(404);
  });

  it('says so if it is not built, and is missing if the host has none', async () => {
    const unbuilt = await get('/admin', { dashboard: UNBUILT_SITE });
    expect([unbuilt.status, await unbuilt.text()]).toEqual([503, 'The dashboard is not built. Run npm run build.\n']);
    expect((await get('/admin', {})).status).toBe(404);
  });
});
