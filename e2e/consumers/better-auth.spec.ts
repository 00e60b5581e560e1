import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type GatedProduct, startGatedProduct } from './support/gate.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { expect, test } from './support/test.ts';

test.describe('better-auth', { tag: '@fast' }, () => {
  let product: GatedProduct;

  test.beforeAll(async ({ install, atTheEnd }) => {
    product = await startGatedProduct({ install, atTheEnd }, INSTALLATIONS.betterAuth, ({ folder, origin }) => ({
      DATABASE: join(folder, 'product.sqlite'),
      BETTER_AUTH_SECRET: randomBytes(32).toString('hex'),
      BETTER_AUTH_URL: origin,
    }));
  });

  test('an invited person creates an account, once', async ({ page, email }) => {
    const link = await product.inviteLink(email);
    await page.goto(link);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('status')).toHaveText('Welcome, Ada!');
    expect(await product.backend.database.signup(email)).toMatchObject({ state: 'joined' });

    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('status')).toHaveText('This invitation has already been used. Sign in instead.');
    await expect(page.getByRole('button')).toBeHidden();
  });

  test('nobody gets an account without an invitation', async ({ page, email }) => {
    await page.goto(`${product.origin}/join`);
    await expect(page.getByRole('status')).toHaveText('You need an invitation to sign up.');
    const refused = await fetch(`${product.origin}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: product.origin },
      body: JSON.stringify({ name: 'Eve', email, password: 'correct horse battery' }),
    });
    expect(refused.status).toBe(403);
  });
});
