import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import type { Backend } from './support/backend.ts';
import { LINKS, receiveToken } from './support/links.ts';
import { expect, test } from './support/test.ts';

test.use({ settings: { CONFIRM: 'on', STATUS_PAGE: 'on', SHARE: 'on', SHOW_PLACES: 'on' } });

/** An invalid link, and an exceeded rate limit. */
test.use({ expectedComplaints: [/404 \(Not Found\)|429 \(Too Many Requests\)/] });

const readState = ({ database }: Backend, email: string) =>
  database.value('SELECT state FROM email_signups WHERE email = ?', email);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const button = (page: Page, name: string) => page.getByRole('button', { name });

async function signUp({ server }: Backend, email: string): Promise<string> {
  const body = new URLSearchParams({ email });
  return (await fetch(`${server.origin}/api/signup-form`, { method: 'POST', body })).text();
}

/** Signs up, confirms, and opens the status page by the emailed link. */
async function openOwnPage(page: Page, backend: Backend, email: string): Promise<void> {
  await signUp(backend, email);
  await page.goto(LINKS.confirm + (await receiveToken(backend.mailbox, email, 'confirm')));
  await button(page, 'Confirm').click();
  await expect(heading(page, "You're on the list!")).toBeFocused();
  await page.goto('about:blank');
  await page.goto(LINKS.status + (await receiveToken(backend.mailbox, email, 'status')));
  await expect(heading(page, "You're on the list!")).toBeFocused();
}

test('is linked by the page that has confirmed the address, and reveals nothing to a browser that only signed up', {
  tag: '@main',
}, async ({ page, backend, email }) => {
  expect(await signUp(backend, email)).toContain('<a href="/status">Open your page</a>');
  await page.goto('/status');
  await expect(heading(page, 'Your page')).toBeFocused();
  await expect(page.getByText('only the link in our emails to you opens it')).toBeVisible();
  await page.goto(LINKS.confirm + (await receiveToken(backend.mailbox, email, 'confirm')));
  await button(page, 'Confirm').click();
  await page.getByRole('link', { name: 'Open your page' }).click();
  await expect(heading(page, "You're on the list!")).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
  // The place in line as dots, with the person's own one after those ahead.
  const place = Number((await page.getByText(/^Your place in line: \d+$/).textContent())?.match(/\d+/)?.[0]);
  await expect(page.locator('.line .own')).toHaveAttribute('d', `M${place * 10 - 5} 5h1`);
  await expect(page.getByText('People per dot')).toHaveCount(0);
});

test('changes the address once the new one confirms it, after which the old link is invalid', { tag: '@main' }, async ({
  page,
  backend,
  email,
}) => {
  const fresh = `new-${email}`;
  await openOwnPage(page, backend, email);
  const old = page.url();
  await page.getByLabel('New email address').fill('no address');
  await page.keyboard.press('Enter');
  await page.getByLabel('New email address').fill(fresh);
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('status').filter({ hasText: /^If this address can be used, we’ve sent it an email/ }),
  ).toBeVisible();
  const token = await receiveToken(backend.mailbox, fresh, 'confirm');
  expect([await readState(backend, email), await receiveToken(backend.mailbox, fresh, 'status')]).toEqual([
    'subscribed',
    '',
  ]);
  await page.goto(LINKS.confirm + token);
  await button(page, 'Confirm').click();
  await page.getByRole('link', { name: 'Open your page' }).click();
  await expect(page.getByText(fresh)).toBeVisible();
  await page.goto('about:blank');
  await page.goto(old);
  await expect(heading(page, 'This link does not work')).toBeFocused();
});

test('unsubscribes the person but keeps their data, which they can download', async ({ page, backend, email }) => {
  await openOwnPage(page, backend, email);
  await button(page, 'Unsubscribe').click();
  await expect(heading(page, 'You are unsubscribed')).toBeFocused();
  expect(await readState(backend, email)).toBe('unsubscribed');
  await expect(button(page, 'Unsubscribe')).toBeHidden();
  await expect(page.getByLabel('New email address')).toBeHidden();
  const saved = page.waitForEvent('download');
  await button(page, 'Download').click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('my-data.json');
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ email, state: 'unsubscribed' });
});

test('erases the person after they confirm twice', { tag: '@main' }, async ({ page, backend, email }) => {
  await openOwnPage(page, backend, email);
  await button(page, 'Erase my data').click();
  await button(page, 'Cancel').click();
  await expect(button(page, 'Erase my data')).toBeFocused();
  await button(page, 'Erase my data').click();
  expect(await readState(backend, email)).toBe('subscribed');
  await button(page, 'Yes, erase everything').click();
  await expect(heading(page, 'Your data is erased')).toBeFocused();
  expect(await readState(backend, email)).toBeUndefined();
  await page.reload();
  await expect(heading(page, 'This link does not work')).toBeFocused();
});

test('a scanner that runs scripts, presses all buttons and submits the form changes nothing', async ({
  page,
  backend,
  email,
}) => {
  await openOwnPage(page, backend, email);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.evaluate(() => {
    const input = document.querySelector('input');
    if (input) input.value = 'scanner@example.org';
    for (const one of document.querySelectorAll('button')) one.click();
    for (const form of document.forms) form.requestSubmit();
  });
  await page.getByLabel('New email address').fill('');
  expect(requests).toEqual([]);
  expect(await readState(backend, email)).toBe('subscribed');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('says that it needs them', async ({ page }) => {
    await page.goto('/status#token=x');
    await expect(page.locator('noscript p')).toBeVisible();
  });
});

test('shows an error beside the button, and axe finds no violation', async ({ page, backend, email }) => {
  test.slow();
  await openOwnPage(page, backend, email);
  await page.route('**/api/status/*', (route) => route.fulfill({ status: 429 }));
  await button(page, 'Erase my data').click();
  await expectAccessibleInBothSchemes(page);
  await button(page, 'Yes, erase everything').click();
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Please try again later.');
  await page.unroute('**/api/status/*');
  await page.route('**/api/status/erase', (route) => route.fulfill({ json: { result: 'being-sent' } }));
  await button(page, 'Yes, erase everything').click();
  await expect(page.getByRole('alert')).toHaveText(/^An email to you is being sent/);
  await page.route('**/api/status/erase', (route) => route.fulfill({ json: { result: 'not-traceless' } }));
  await button(page, 'Yes, erase everything').click();
  await expect(page.getByText('A copy of your data may remain')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
});
