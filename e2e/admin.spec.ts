import type { Page } from '@playwright/test';
import { ADMIN_EMAIL, expect, openLandingPage, signupForm, test } from './support/test.ts';
import { startedVisit } from './support/visit.ts';

const accessDialog = (page: Page) => page.getByRole('dialog', { name: 'Admin Access' });
const overview = (page: Page) => page.getByRole('dialog', { name: 'Analytics Overview' });
const counterBox = (page: Page) => page.getByRole('region', { name: 'Analytics Overview' });
const adminEmail = (page: Page) => page.evaluate(() => localStorage.getItem('adminEmail'));
const figure = (page: Page, label: string) =>
  overview(page).locator('dl > div').filter({ hasText: label }).getByRole('definition').first();

async function unlock(page: Page, email = ADMIN_EMAIL): Promise<void> {
  await page.keyboard.press('Control+Alt+KeyA');
  await accessDialog(page).getByLabel('Admin email').fill(email);
  await accessDialog(page).getByRole('button', { name: 'Access Analytics' }).click();
}

test('visitors load no code, texts or address of the admin overlay', { tag: '@main' }, async ({ page }) => {
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => bodies.push(response.text().catch(() => '')));
  await openLandingPage(page);
  await page.keyboard.press('a');
  await page.keyboard.press('Control+KeyA');
  const loaded = (await Promise.all(bodies)).join('\n');
  expect(loaded).toContain('Join the beta');
  expect(loaded).not.toContain('Access Analytics');
  expect(loaded).not.toContain(ADMIN_EMAIL);
  await expect(page.locator('dialog, .eak-counter')).toHaveCount(0);
  const code = page.waitForResponse('**/assets/*.js');
  await page.keyboard.press('Control+Alt+KeyA');
  expect(await (await code).text()).toContain('Access Analytics');
  await expect(accessDialog(page)).toBeVisible();
});

test('the right address unlocks the analytics, now and in later sessions, until logout', { tag: '@main' }, async ({
  page,
  context,
  email,
  backend: { database },
}) => {
  await openLandingPage(page);
  await startedVisit(page, database);
  const { input, button, success } = signupForm(page, 'hero');
  await input.fill(email);
  await button.click();
  await expect(success).toBeVisible();

  await unlock(page, ` ${ADMIN_EMAIL.toUpperCase()} `);
  await expect(overview(page)).toBeVisible();
  const signups = String(await database.value('SELECT count(*) FROM email_signups'));
  const visitors = String(await database.value('SELECT count(DISTINCT visitor_id) FROM sessions'));
  await expect(figure(page, 'Unique Visitors')).toHaveText(visitors);
  await expect(figure(page, 'Email Signups')).toHaveText(signups);
  expect(await adminEmail(page)).toBe(ADMIN_EMAIL.toUpperCase());

  await page.keyboard.press('Escape');
  await expect(overview(page)).toHaveCount(0);
  await expect(counterBox(page)).toContainText(`Unique Visitors ${visitors}`);
  await expect(counterBox(page)).toContainText(`Email Signups ${signups}`);
  const box = await counterBox(page).boundingBox();
  const window = page.viewportSize();
  expect(box && window && window.width - box.x - box.width).toBeLessThan(40);
  expect(box && window && window.height - box.y - box.height).toBeLessThan(40);

  const later = await context.newPage();
  await openLandingPage(later);
  await expect(counterBox(later)).toContainText(`Email Signups ${signups}`);
  await expect(overview(later)).toHaveCount(0);
  await counterBox(later).getByRole('button').click();
  await expect(overview(later)).toBeVisible();
  await overview(later).getByRole('button', { name: 'Admin Logout' }).click();
  await expect(overview(later)).toHaveCount(0);
  await expect(counterBox(later)).toHaveCount(0);
  expect(await adminEmail(later)).toBeNull();
  // The other tab is logged out, too.
  await expect(counterBox(page)).toHaveCount(0);
  await later.keyboard.press('Control+Alt+KeyA');
  await expect(accessDialog(later)).toBeVisible();
});
