import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { freeOrigin, startProgram } from './support/program.ts';
import { expect, expectStyled, signUp, test } from './support/test.ts';

test.describe('Next.js', { tag: '@complete' }, () => {
  let backend: Backend;
  let origin: string;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.nextjs);
    const free = await freeOrigin();
    origin = free.origin;
    backend = await startSelfHosted({ ALLOWED_ORIGINS: origin });
    atTheEnd(backend.close);
    await inFolder({ folder }, 'pnpm', 'exec', 'next', 'build');
    const args = ['node_modules/next/dist/bin/next', 'start', '--hostname', 'localhost', '--port', free.port];
    const program = await startProgram(folder, args, {
      origin,
      env: { EARLY_ACCESS_API: `${backend.server.origin}/api` },
    });
    atTheEnd(program.stop);
  });

  test('a visitor signs up under a strict policy with a nonce', async ({ page, email }) => {
    const response = await page.request.get(origin);
    expect(response.headers()['content-security-policy']).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
    await signUp(page, origin, { email, backend });
  });

  test('the form is in the HTML and styled', async ({ page, request }) => {
    const html = await (await request.get(origin)).text();
    expect(html).toContain(`action="${backend.server.origin}/api/signup-form"`);
    expect(html).toContain('Join the beta');
    await page.goto(origin);
    await expectStyled(page);
  });

  test('the overlay loads on demand', async ({ page }) => {
    await page.goto(origin);
    await expectStyled(page);
    await page.keyboard.press('Control+Alt+KeyA');
    await expect(page.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
  });
});
