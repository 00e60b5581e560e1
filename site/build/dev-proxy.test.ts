import path from 'node:path';
import { freePort } from '@early-access-kit/testkit/http-server';
import { createServer } from 'vite';
import { expect, it, onTestFinished, vi } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

it.each([
  ['examples/vite-react', /^early-access-server is not running on port \d+\. Start it with: npm run dev$/],
  [
    'packages/create-early-access/templates/firestore-vite',
    /^The emulators are not running on port 5000\. Start them with: npm run emulators$/,
  ],
])('the development server of %s says what to start', async (folder, expected) => {
  vi.stubEnv('PORT', String(await freePort()));
  onTestFinished(() => void vi.unstubAllEnvs());
  const vite = await createServer({ root: path.join(ROOT, folder), logLevel: 'silent' });
  onTestFinished(() => vite.close());
  await vite.listen(await freePort());
  const [origin = ''] = vite.resolvedUrls?.local ?? [];
  // As the form and a browser that opens the dashboard do.
  for (const request of [new Request(`${origin}api/signups`, { method: 'POST' }), new Request(`${origin}admin`)]) {
    const response = await fetch(request);
    expect([response.status, (await response.json()).error.text]).toEqual([503, expect.stringMatching(expected)]);
  }
});
