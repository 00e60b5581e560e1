import { ADMIN_EMAIL } from '../support/backend.ts';
import { signInByLink } from '../support/sign-in.ts';
import { openLandingPage, signupForm } from '../support/test.ts';
import { expect, test } from './support.ts';

test('the shortcut opens the overlay, which shows the figures', async ({ page, backend }) => {
  await openLandingPage(page);
  await page.keyboard.press('Control+Alt+KeyA');
  const dialog = page.getByRole('dialog');
  const input = dialog.getByLabel('Admin email');
  await input.fill('visitor@example.org');
  await input.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Invalid admin email');
  await input.fill(ADMIN_EMAIL);
  await dialog.getByRole('button', { name: 'Access Analytics' }).click();
  const signups = String(await backend.database.value('SELECT count(*) FROM email_signups'));
  await expect(dialog.locator('dl > div').filter({ hasText: `Email Signups${signups}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.locator('.eak-counter')).toContainText('Email Signups');
});

test('an admin signs in to the dashboard by a link, finds a person and erases them', async ({
  page,
  gate,
  email,
  backend,
}) => {
  await openLandingPage(page);
  const { input, success } = signupForm(page, 'hero');
  await input.fill(email);
  await input.press('Enter');
  await expect(success).toBeVisible();

  await signInByLink(page, gate.origin, backend.mailbox, ADMIN_EMAIL);
  expect(new URL(page.url()).hash).toBe('');

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('searchbox').fill(email.slice(0, 20));
  await page.getByRole('table').getByRole('button', { name: email }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('landing_page');
  await dialog.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(email);
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await expect(page.getByRole('main')).toContainText('No matches');
  expect(await backend.database.signup(email)).toBeUndefined();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to the dashboard', level: 1 })).toBeVisible();
});
