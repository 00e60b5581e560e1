import path from 'node:path';
import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { serveFolder } from './support/static-server.ts';
import { expect, expectStyled, signUp, test } from './support/test.ts';

test.describe('Astro', { tag: '@complete' }, () => {
  let backend: Backend;
  let page: string;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.astro);
    let api = '';
    const host = await serveFolder(
      path.join(folder, 'dist'),
      () => `default-src 'self' 'unsafe-inline'; connect-src ${api}; form-action ${api}; img-src data:`,
    );
    atTheEnd(host.close);
    backend = await startSelfHosted({ ALLOWED_ORIGINS: host.origin });
    atTheEnd(backend.close);
    api = backend.server.origin;
    page = `${host.origin}/index.html`;
    await inFolder({ folder, env: { PUBLIC_EARLY_ACCESS_API: `${api}/api` } }, 'pnpm', 'run', 'build');
  });

  test('a visitor signs up in an island, under the policy that Astro generates', async ({
    page: tab,
    request,
    email,
  }) => {
    const html = await (await request.get(page)).text();
    expect(html).toContain('http-equiv="content-security-policy"');
    expect(html).toContain(`action="${backend.server.origin}/api/signup-form"`);
    await signUp(tab, page, { email, backend });
  });

  test('the form is styled', async ({ page: tab }) => {
    await tab.goto(page);
    await expectStyled(tab);
  });
});
