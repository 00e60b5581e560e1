import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import {
  CRON_SECRET,
  expectFormToWork,
  expectLinksToWork,
  type Mounted,
  mountIssues,
  signUpAndOpenDashboard,
  startMounted,
} from './support/mounted.ts';
import { expect, expectStyled, test } from './support/test.ts';

test.describe('Next.js', { tag: '@complete' }, () => {
  let mounted: Mounted;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.nextjs);
    await inFolder({ folder }, 'pnpm', 'exec', 'next', 'build');
    mounted = await startMounted(folder, (port) => [
      'node_modules/next/dist/bin/next',
      'start',
      '--hostname',
      'localhost',
      '--port',
      port,
    ]);
    atTheEnd(mounted.close);
  });

  test('a visitor signs up under a strict policy with a nonce, and the admin sees it', async ({ page, email }) => {
    const response = await page.request.get(mounted.origin);
    expect(response.headers()['content-security-policy']).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
    await signUpAndOpenDashboard(page, mounted, email);
    expect(await mountIssues(page, mounted)).toEqual([expect.stringContaining('set trustProxy')]);
    await expectLinksToWork(mounted, email);
  });

  test('the form is in the HTML, works without scripts, and is styled', async ({ page, request, email }) => {
    const html = await (await request.get(mounted.origin)).text();
    expect(html).toContain('action="/api/signup-form"');
    expect(html).toContain('Join the beta');
    await expectFormToWork(mounted, email);
    await page.goto(mounted.origin);
    await expectStyled(page);
  });

  test('the overlay loads on demand', async ({ page }) => {
    await page.goto(mounted.origin);
    await expectStyled(page);
    await page.keyboard.press('Control+Alt+KeyA');
    await expect(page.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
  });

  test('only the cron job with the secret runs the jobs', async () => {
    const run = (secret?: string) =>
      fetch(`${mounted.origin}/api/cron/early-access`, {
        headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
      });
    const statuses = await Promise.all([run(), run(''), run('undefined'), run(`${CRON_SECRET}.`), run(CRON_SECRET)]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 204]);
  });
});
