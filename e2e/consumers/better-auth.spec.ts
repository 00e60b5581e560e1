import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Backend, startSelfHosted } from '../support/backend.ts';
import { invite } from '../support/invite.ts';
import { receiveToken } from '../support/links.ts';
import { inFolder } from './support/install.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { freeOrigin, startProgram } from './support/program.ts';
import { expect, test } from './support/test.ts';

test.describe('better-auth', { tag: '@fast' }, () => {
  let backend: Backend;
  let origin: string;

  test.beforeAll(async ({ install, atTheEnd }) => {
    const folder = await install(INSTALLATIONS.betterAuth);
    await inFolder({ folder }, 'pnpm', 'run', 'build');
    const [free, key, secret] = [await freeOrigin(), randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    origin = free.origin;
    backend = await startSelfHosted({ INVITE_URL: `${origin}/join`, INVITE_KEY: key });
    atTheEnd(backend.close);
    const program = await startProgram(folder, ['src/server.ts'], {
      origin,
      env: {
        PORT: free.port,
        EARLY_ACCESS_URL: backend.server.origin,
        INVITE_KEY: key,
        DATABASE: join(folder, 'product.sqlite'),
        BETTER_AUTH_SECRET: secret,
        BETTER_AUTH_URL: origin,
      },
    });
    atTheEnd(program.stop);
  });

  test('an invited person creates an account, once', async ({ page, email }) => {
    await fetch(`${backend.server.origin}/api/signup-form`, { method: 'POST', body: new URLSearchParams({ email }) });
    await backend.mailbox.waitForMail(email);
    expect(await invite(backend, 1)).toMatchObject({ people: 1 });
    const link = `${origin}/join#invite=${await receiveToken(backend.mailbox, email, 'invite', 1)}`;

    await page.goto(link);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('status')).toHaveText('Welcome, Ada!');
    expect(await backend.database.signup(email)).toMatchObject({ state: 'joined' });

    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('status')).toHaveText('This invitation was used already. Sign in instead.');
    await expect(page.getByRole('button')).toBeHidden();
  });

  test('nobody gets an account without an invitation', async ({ page, email }) => {
    await page.goto(`${origin}/join`);
    await expect(page.getByRole('status')).toHaveText('You need an invitation to sign up.');
    const refused = await fetch(`${origin}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ name: 'Eve', email, password: 'correct horse battery' }),
    });
    expect(refused.status).toBe(403);
  });
});
