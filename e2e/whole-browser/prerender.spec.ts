import { devices } from '@playwright/test';
import { startGatekeeper } from '../support/gatekeeper.ts';
import { expect, test } from '../support/test.ts';
import { openOwnBrowser } from '../support/whole-browser.ts';

test('a prerendered page sends nothing until it is visited', { tag: '@self-hosted' }, async ({
  backend: { server, database },
}) => {
  const gatekeeper = await startGatekeeper(server.origin);
  const since = Date.now();
  const browser = await openOwnBrowser(`${gatekeeper.origin}/opener`, devices['Desktop Chrome'].userAgent);
  try {
    const isVisit = ({ path }: { path: string }) => path.startsWith('/api/sessions');
    // By the time the overlay's code is requested, a session would already have started.
    await gatekeeper.until(({ path }) => path.includes('admin-panel'));
    expect(gatekeeper.seen.filter(({ path }) => path === '/')).toEqual([
      { method: 'GET', path: '/', purpose: expect.stringContaining('prerender') },
    ]);
    expect(gatekeeper.seen.filter(isVisit)).toEqual([]);

    const visited = Date.now();
    gatekeeper.open();
    await gatekeeper.until(isVisit);
    await expect.poll(() => database.value('SELECT count(*) FROM sessions WHERE session_start >= ?', since)).toBe(1);
    const start = await database.value('SELECT session_start FROM sessions WHERE session_start >= ?', since);
    expect(Number(start)).toBeGreaterThanOrEqual(visited);
    expect(gatekeeper.seen.filter(({ path }) => path === '/')).toHaveLength(1);
  } finally {
    await browser.close();
    await gatekeeper.close();
  }
});
