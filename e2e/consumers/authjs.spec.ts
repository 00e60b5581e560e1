import { randomBytes } from 'node:crypto';
import { type GatedProduct, startGatedProduct } from './support/gate.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { expect, type Page, test } from './support/test.ts';

test.describe('Auth.js', { tag: '@fast' }, () => {
  let product: GatedProduct;

  test.beforeAll(async ({ install, atTheEnd }) => {
    product = await startGatedProduct({ install, atTheEnd }, INSTALLATIONS.authjs, () => ({
      AUTH_SECRET: randomBytes(32).toString('hex'),
    }));
  });

  /** Requests a sign-in link by email, and opens it. */
  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: /^Sign in with Email$/ }).click();
    await expect(page.getByText('Check your email')).toBeVisible();
    const link = new RegExp(`Sign in: (\\S+${encodeURIComponent(email)}\\S*)`);
    await page.goto(await product.program.printedMatch('stdout', link));
  }

  test('an invited person creates one account per invitation', async ({ browser, page, email }) => {
    const link = await product.inviteLink(email);
    await page.goto(link);
    await expect(page.getByRole('status')).toHaveText('Welcome! Sign in to create your account.');
    await signIn(page, email);
    await expect(page.getByRole('status')).toHaveText(`Signed in as ${email}.`);
    expect(await product.backend.database.signup(email)).toMatchObject({ state: 'joined' });

    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(link);
    await expect(other.getByRole('status')).toHaveText('This invitation is used.');
    await context.close();
  });

  test('nobody gets an account without an invitation', async ({ page, email }) => {
    await page.goto(product.origin);
    await expect(page.getByRole('status')).toHaveText('You need an invitation to sign up.');
    await signIn(page, email);
    await expect(page.getByRole('status')).toHaveText('You need an invitation to sign up.');
  });
});
