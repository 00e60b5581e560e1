import { expectAccessible } from '../support/axe.ts';
import { ADMIN_EMAIL } from '../support/backend.ts';
import { openLandingPage, SUCCEEDED, signupForm, toast } from '../support/test.ts';
import { expect, test } from './support.ts';

// The pages' policy blocks axe's script. axe waits for color transitions to end.
test.use({ bypassCSP: true });

test('axe finds no violation in the page, the form, the overlay and the dashboard’s sign-in page', async ({
  page,
  email,
}) => {
  const accessible = () => expect(() => expectAccessible(page)).toPass();
  await openLandingPage(page);
  await accessible();
  const { input, button, form } = signupForm(page, 'hero');
  await input.fill('ada');
  await button.click();
  await expect(form.getByText('Please enter a valid email address')).toBeVisible();
  await accessible();
  await input.fill(email);
  await input.press('Enter');
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  await accessible();

  await page.keyboard.press('Control+Alt+KeyA');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Admin Access');
  await accessible();
  await dialog.getByLabel('Admin email').fill(ADMIN_EMAIL);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Analytics Overview');
  await accessible();

  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Sign in to the dashboard', level: 1 })).toBeVisible();
  await accessible();
});
