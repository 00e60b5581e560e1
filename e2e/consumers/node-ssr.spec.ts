import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { freeOrigin, startProgram } from './support/program.ts';
import { expect, expectStyled, signUp, test } from './support/test.ts';

test.describe('plain Node', { tag: '@fast' }, () => {
  const formats = ['mjs', 'cjs'] as const;
  const servers = new Map<string, { origin: string; backend: Backend }>();

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.nodeSsr);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    for (const format of formats) {
      const { origin, port } = await freeOrigin();
      const backend = await startSelfHosted({ ALLOWED_ORIGINS: origin });
      atTheEnd(backend.close);
      const env = { PORT: port, EARLY_ACCESS_API: `${backend.server.origin}/api` };
      const program = await startProgram(folder, [`dist/server.${format}`], { origin, env });
      atTheEnd(program.stop);
      servers.set(format, { origin, backend });
    }
  });

  for (const format of formats) {
    test(`a visitor signs up on a page rendered by server.${format}`, async ({ page, email }) => {
      const { origin, backend } = findServer(format);
      await signUp(page, origin, { email, backend });
    });
  }

  test('the form works without scripts', async ({ browser, email }) => {
    const { origin, backend } = findServer('mjs');
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(origin);
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Join the beta' }).click();
    await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
    expect(await backend.database.signup(email)).toMatchObject({ email });
    await context.close();
  });

  test('the form is styled', async ({ page }) => {
    await page.goto(findServer('cjs').origin);
    await expectStyled(page);
  });

  function findServer(format: string): { origin: string; backend: Backend } {
    const server = servers.get(format);
    if (!server) throw new Error(`server.${format} is not running`);
    return server;
  }
});
