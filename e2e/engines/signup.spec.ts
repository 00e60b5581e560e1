import { DUPLICATE, FAILED, openLandingPage, SUCCEEDED, signupForm, toast } from '../support/test.ts';
import { expect, test } from './support.ts';

test('sign up, by keyboard', { tag: '@short' }, async ({ page, email, backend: { database, mailbox } }) => {
  await openLandingPage(page);
  const { input, success } = signupForm(page, 'hero');
  await input.click();
  await page.keyboard.type(`  ${email.toUpperCase()} `);
  await page.keyboard.press('Enter');
  await expect(success).toBeVisible();
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  await expect(page.locator('.hero input[type=email]')).toBeHidden();
  expect(await database.signup(email)).toMatchObject({ email, source: 'landing_page' });
  expect(await mailbox.waitForMail(email)).toMatchObject({ to: [{ name: '', address: email }] });
});

test('an invalid address is explained until the next key', { tag: '@short' }, async ({ page, backend }) => {
  await openLandingPage(page);
  const before = await backend.database.value('SELECT count(*) FROM email_signups');
  const { input, button, form } = signupForm(page, 'hero');
  for (const invalid of ['ada', 'ada@example', 'two@at@signs.example']) {
    await input.fill(invalid);
    await button.click();
    await expect(form.getByText('Please enter a valid email address')).toBeVisible();
    await expect(input).toBeFocused();
    await expect(input).toHaveAttribute('aria-invalid', 'true');
    await expect(input).toHaveAccessibleDescription('Please enter a valid email address');
    await page.keyboard.type('x');
    await expect(input).toBeFocused();
    await expect(input).toHaveAttribute('aria-invalid', 'false');
    await expect(input).toHaveAccessibleDescription('');
  }
  expect(await backend.database.value('SELECT count(*) FROM email_signups')).toBe(before);
});

test('a second signup of an address is reported as a duplicate', async ({ page, email, backend: { database } }) => {
  const { input, button } = signupForm(page, 'hero');
  for (const [spelling, answer] of [
    [email, SUCCEEDED],
    [email.toUpperCase(), DUPLICATE],
  ] as const) {
    await openLandingPage(page);
    await input.fill(spelling);
    await button.click();
    await expect(toast(page, answer)).toBeVisible();
  }
  await expect(input).toBeFocused();
  expect(await database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
});

test('a signup fails while the server is down, and works once it is back', async ({ page, email, backend }) => {
  await openLandingPage(page);
  await backend.server.stop();
  const { input, button, success } = signupForm(page, 'hero');
  await input.fill(email);
  await button.click();
  await expect(toast(page, FAILED)).toBeVisible();
  await expect(button).toHaveText('Join the beta');
  await backend.server.start();
  await button.click();
  await expect(success).toBeVisible();
  expect(await backend.database.signup(email)).toMatchObject({ email });
});
