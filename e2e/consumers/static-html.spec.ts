import path from 'node:path';
import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { expect, test } from './support/test.ts';

test.describe('static HTML', { tag: '@fast' }, () => {
  let backend: Backend;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.staticHtml);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    backend = await startSelfHosted({ SITE_DIR: path.join(folder, 'public') });
    atTheEnd(backend.close);
  });

  test('a visitor signs up with the page’s own form, and the session is tracked', async ({ page, email }) => {
    await page.goto(backend.server.origin);
    const form = page.locator('form[novalidate]');
    const field = form.getByLabel('Email address');
    const status = form.getByRole('status');
    await field.fill('ada');
    await field.press('Enter');
    await expect(status).toHaveText('Please enter a valid email address');
    await field.fill(email);
    await form.getByRole('button').click();
    await expect(status).toHaveText("You're on the list!");
    const stored = await backend.database.signup(email);
    expect(stored).toMatchObject({ email, source: 'landing_page', session_id: expect.any(String) });
    await expect.poll(() => backend.database.session(String(stored?.session_id))).toMatchObject({ browser: 'Chrome' });
  });

  test('a second attempt with the same address is reported as a duplicate', async ({ page, email }) => {
    for (const message of ["You're on the list!", 'This email is already registered!']) {
      await page.goto(backend.server.origin);
      const form = page.locator('form[novalidate]');
      await form.getByLabel('Email address').fill(email);
      await form.getByRole('button').click();
      await expect(form.getByRole('status')).toHaveText(message);
    }
  });
});
