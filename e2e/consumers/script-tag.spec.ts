import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serveFolder } from '@early-access-kit/testkit/static-folder';
import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { expect, signUp, test } from './support/test.ts';

test.describe('a page with a script tag', { tag: '@fast' }, () => {
  let backend: Backend;
  let page: string;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.staticHtml);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    let api = '';
    const host = await serveFolder(
      path.join(folder, 'public'),
      () => `default-src 'self'; connect-src ${api}; form-action ${api}; img-src data:`,
    );
    atTheEnd(host.close);
    backend = await startSelfHosted({ ALLOWED_ORIGINS: host.origin });
    atTheEnd(backend.close);
    api = backend.server.origin;
    page = `${host.origin}/embed.html`;
    const file = path.join(folder, 'public', 'embed.html');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('http://localhost:4173', backend.server.origin));
  });

  test('a visitor signs up on a server of another origin', async ({ page: tab, email }) => {
    await signUp(tab, page, { email, backend });
  });

  test('the overlay loads on demand', async ({ page: tab }) => {
    await tab.goto(page);
    await expect(tab.locator('form[novalidate]')).toBeVisible();
    await tab.keyboard.press('Control+Alt+KeyA');
    await expect(tab.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
  });

  test('without scripts, visitors see the form inside the element', async ({ browser, email }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const tab = await context.newPage();
    await tab.goto(page);
    await tab.getByLabel('Email address').fill(email);
    await tab.getByRole('button', { name: 'Join the beta' }).click();
    await expect(tab.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
    expect(await backend.database.signup(email)).toMatchObject({ email });
    await context.close();
  });
});
