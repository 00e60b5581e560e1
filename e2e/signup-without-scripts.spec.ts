import { DUPLICATE, expect, expectHydrated, signupForm, test } from './support/test.ts';

test('text typed before hydration survives an extension that changed the forms', async ({ page }) => {
  const script = Promise.withResolvers<void>();
  await page.route('**/assets/app*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const hero = signupForm(page, 'hero').input;
  const bottom = signupForm(page, 'bottom').input;
  await bottom.fill('ada@example.org');
  await hero.pressSequentially('grace@');
  // A password manager adds its button beside each field.
  await page.evaluate(() => {
    for (const field of document.querySelectorAll('input[type=email]')) {
      field.before(document.createElement('x-password-manager'));
    }
  });
  const old = await hero.elementHandle();
  script.resolve();
  await expectHydrated(page);
  expect(await old?.evaluate((field) => field.isConnected)).toBe(true);
  await expect(hero).toBeFocused();
  await page.keyboard.type('example.org');
  await expect(hero).toHaveValue('grace@example.org');
  await expect(bottom).toHaveValue('ada@example.org');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, expectedComplaints: [/409 \(Conflict\)/] });

  test('the form works, reports the result and links back', { tag: '@main' }, async ({ page, email, backend }) => {
    await page.goto('/?utm_source=news&token=secret');
    for (const [heading, status] of [
      ["You're on the list!", 201],
      [DUPLICATE, 409],
    ] as const) {
      const { input, button } = signupForm(page, 'bottom');
      await input.fill(email);
      const [response] = await Promise.all([page.waitForResponse('**/api/signup-form'), button.click()]);
      expect(response.status()).toBe(status);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await page.getByRole('link', { name: 'Back to the page' }).click();
      await expect(page).toHaveURL('/?utm_source=news');
    }
    expect(await backend.database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
    expect(await backend.database.signup(email)).toMatchObject({
      page_url: new URL('/', page.url()).href,
      utm_source: 'news',
    });
    await backend.mailbox.waitForMail(email);
  });
});
