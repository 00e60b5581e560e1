import { json } from 'node:stream/consumers';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import { type GatedProduct, startGatedProduct } from './support/gate.ts';
import { INSTALLATIONS } from './support/installations.ts';
import { expect, test } from './support/test.ts';

test.describe('Clerk', { tag: '@fast' }, () => {
  let product: GatedProduct;
  /** Requests to the fake of Clerk's API, which only supports invitations. */
  const requests: unknown[] = [];

  test.beforeAll(async ({ install, atTheEnd }) => {
    const clerk = await serveHttp(async (request, response) => {
      const body: unknown = request.method === 'POST' ? await json(request) : undefined;
      if (body) requests.push([request.method, request.url, request.headers.authorization, body]);
      const ticket = `${clerk.origin}/ticket`;
      response.setHeader('Content-Type', body ? 'application/json' : 'text/html');
      response.end(body ? JSON.stringify({ object: 'invitation', id: 'inv_1', url: ticket }) : '<h1>Clerk</h1>');
    });
    atTheEnd(clerk.close);
    product = await startGatedProduct({ install, atTheEnd }, INSTALLATIONS.clerk, ({ origin }) => ({
      CLERK_SECRET_KEY: 'sk_test_secret',
      CLERK_API_URL: clerk.origin,
      SIGN_UP_URL: `${origin}/sign-up`,
    }));
  });

  test('an invited person gets one Clerk invitation for the same address', async ({ page, email }) => {
    const link = await product.inviteLink(email);
    await page.goto(link);
    await page.getByRole('button', { name: 'Create your account' }).click();
    await expect(page.getByRole('heading', { name: 'Clerk' })).toBeVisible();
    const invitation = {
      email_address: email,
      redirect_url: `${product.origin}/sign-up`,
      notify: false,
      ignore_existing: true,
    };
    expect(requests).toEqual([['POST', '/v1/invitations', 'Bearer sk_test_secret', invitation]]);
    expect(await product.backend.database.signup(email)).toMatchObject({ state: 'joined' });

    await page.goto(link);
    await page.getByRole('button', { name: 'Create your account' }).click();
    await expect(page.getByRole('status')).toHaveText('This invitation is used.');
    expect(requests).toHaveLength(1);
  });

  test('nobody gets one without an invitation from the list', async ({ page }) => {
    await page.goto(`${product.origin}/join`);
    await expect(page.getByRole('button')).toBeHidden();
    await page.goto('about:blank');
    await page.goto(`${product.origin}/join#invite=guessed`);
    await page.getByRole('button', { name: 'Create your account' }).click();
    await expect(page.getByRole('status')).toHaveText('This invitation is unknown.');
  });
});
