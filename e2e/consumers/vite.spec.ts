import path from 'node:path';
import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { expect, expectStyled, signUp, test } from './support/test.ts';

for (const [name, installation, tag] of [
  ['Vite and React 19', INSTALLATIONS.vite, '@fast'],
  ['Vite and React 18.2', INSTALLATIONS.viteWithReact18, '@complete'],
] as const) {
  test.describe(name, { tag }, () => {
    let backend: Backend;

    test.beforeAll(async ({ install, atTheEnd }) => {
      const folder = await install(installation);
      await inFolder({ folder }, 'pnpm', 'run', 'build');
      backend = await startSelfHosted({ SITE_DIR: path.join(folder, 'dist') });
      atTheEnd(backend.close);
    });

    test('a visitor signs up, under the server’s strict policy', async ({ page, email }) => {
      await signUp(page, backend.server.origin, { email, backend });
    });

    test('the form is styled, and the overlay opens', async ({ page }) => {
      await page.goto(backend.server.origin);
      await expectStyled(page);
      await page.keyboard.press('Control+Alt+KeyA');
      await expect(page.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
    });
  });
}
