import type { Locator } from '@playwright/test';
import {
  DUPLICATE,
  expect,
  expectMailSent,
  openLandingPage,
  SENDER,
  SUCCEEDED,
  signupForm,
  test,
  toast,
} from './support/test.ts';
import { startedVisit } from './support/visit.ts';

for (const { width, height, hasTouch, which } of [
  { width: 320, height: 568, hasTouch: false, which: 'hero' },
  { width: 768, height: 1024, hasTouch: true, which: 'bottom' },
  { width: 1440, height: 800, hasTouch: false, which: 'hero' },
] as const) {
  test.describe(`on a screen of ${width} × ${height}`, () => {
    test.use({ viewport: { width, height }, hasTouch, isMobile: hasTouch });

    test(`no toast covers the ${which} form or its message`, async ({ page, email, backend }) => {
      const { form, input, button, success } = signupForm(page, which);
      const expectBelowToast = async (part: Locator, text: string) => {
        await expect(toast(page, text)).toBeVisible();
        const [shown, below] = [await page.locator('.eak-toast').boundingBox(), await part.boundingBox()];
        expect(shown && below && shown.y + shown.height < below.y).toBe(true);
      };
      await openLandingPage(page);
      await input.fill(email);
      await form.evaluate((element) => element.scrollIntoView({ block: 'end' }));
      await input.press('Enter');
      await expect(success).toBeVisible();
      await expectBelowToast(success, SUCCEEDED);
      await expectMailSent(backend, email);
      for (const block of ['end', 'start'] as const) {
        await openLandingPage(page);
        await input.fill(email);
        await form.evaluate((element, block) => element.scrollIntoView({ block }), block);
        await button.click();
        await expectBelowToast(input, DUPLICATE);
        await expect(input).toBeFocused();
      }
    });
  });
}

for (const which of ['hero', 'bottom'] as const) {
  test(`the ${which} form signs a visitor up and sends one welcome email`, { tag: '@main' }, async ({
    page,
    email,
    backend,
  }) => {
    await openLandingPage(page);
    const session_id = await startedVisit(page, backend.database);
    const { form, input, button, success } = signupForm(page, which);
    await input.fill(`  ${email.toUpperCase()} `);
    await button.click();
    await expect(success).toBeVisible();
    // Both forms share the success.
    await expect(page.getByText("We'll email you when the beta is ready.")).toHaveCount(2);
    await expect(toast(page, SUCCEEDED)).toBeVisible();
    await expect(form).toBeHidden();
    expect(await backend.database.signup(email)).toMatchObject({
      email,
      session_id,
      source: 'landing_page',
      referrer: null,
      page_url: page.url(),
      utm_source: null,
      created_at: expect.any(Number),
    });

    const mail = await backend.mailbox.waitForMail(email);
    expect(mail.to).toEqual([{ name: '', address: email }]);
    expect(mail.from).toEqual({ name: 'PrintMargin', address: SENDER });
    expect(mail.subject).toContain('PrintMargin');
    expect(mail.text).toContain('when the beta is ready');
    expect(mail.html).toContain('PrintMargin');
    await expectMailSent(backend, email);
    expect(backend.mailbox.mailsTo(email)).toHaveLength(1);
  });
}

test('rejects an address that is already signed up, in any spelling', { tag: '@main' }, async ({
  page,
  email,
  backend,
  context,
}) => {
  await openLandingPage(page);
  const first = signupForm(page, 'bottom');
  await first.input.fill(email);
  await first.button.click();
  await expect(first.success).toBeVisible();
  // On Firestore a trigger adds the state a little later.
  const { state: _, ...stored } = (await backend.database.signup(email)) ?? {};
  await expectMailSent(backend, email);

  const other = await context.newPage();
  await openLandingPage(other);
  const second = signupForm(other, 'bottom');
  await second.input.fill(email.toUpperCase());
  await second.input.press('Enter');
  await expect(toast(other, DUPLICATE)).toBeVisible();
  await expect(second.success).toBeHidden();
  await expect(second.button).toHaveText('Join the beta');
  await expect(second.button).toBeEnabled();
  await expect(second.input).toBeFocused();
  expect(await backend.database.signup(email)).toMatchObject(stored);
  expect(backend.mailbox.mailsTo(email)).toHaveLength(1);
});

test('a signup has the campaign that its session started with, even if the URL has changed since', {
  tag: '@main',
}, async ({ page, email, backend }) => {
  await openLandingPage(page, '/?utm_source=news&utm_campaign=May%20sale&token=secret#join');
  await page.evaluate(() => history.replaceState(null, '', '/?utm_source=banner'));
  const { input, button, success } = signupForm(page, 'hero');
  await input.fill(email);
  await button.click();
  await expect(success).toBeVisible();
  expect(await backend.database.signup(email)).toMatchObject({
    page_url: new URL('/', page.url()).href,
    utm_source: 'news',
    utm_medium: null,
    utm_campaign: 'May sale',
  });
});
