import { type Backend, startSelfHosted } from '../support/backend.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { freeOrigin, startProgram } from './support/program.ts';
import { expect, expectStyled, signUp, test } from './support/test.ts';

test.describe('React Router', { tag: '@complete' }, () => {
  let backend: Backend;
  let origin: string;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.reactRouter);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    const free = await freeOrigin();
    origin = free.origin;
    backend = await startSelfHosted({ ALLOWED_ORIGINS: origin });
    atTheEnd(backend.close);
    const program = await startProgram(folder, ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'], {
      origin,
      env: { PORT: free.port, HOST: 'localhost', EARLY_ACCESS_API: `${backend.server.origin}/api` },
    });
    atTheEnd(program.stop);
  });

  test('a visitor signs up on a server-rendered page', async ({ page, request, email }) => {
    expect(await (await request.get(origin)).text()).toContain(`action="${backend.server.origin}/api/signup-form"`);
    await signUp(page, origin, { email, backend });
  });

  test('the form is styled', async ({ page }) => {
    await page.goto(origin);
    await expectStyled(page);
  });
});
