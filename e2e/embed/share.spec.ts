import type { Page } from '@playwright/test';
import { LINKS, receiveToken } from '../support/links.ts';
import { expect, test, toast } from './support/test.ts';

test.use({
  settings: { CONFIRM: 'on', SHARE: 'on', SHOW_PLACES: 'on' },
  script: async ({ gate }, use) =>
    use(['embed', 'embed-share'].map((name) => `<script src="${gate.origin}/${name}.js" defer></script>`).join('')),
});

const BODY = '<early-access-form></early-access-form><early-access-share></early-access-share>';

async function signUp(page: Page, url: string, email: string) {
  await page.goto(url);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Join the beta' }).click();
  const link = page.getByRole('textbox', { name: 'Share your link' });
  await expect(link).toBeVisible();
  return link;
}

test('a friend who signs up through a link and confirms moves the referrer up in line', {
  tag: '@main',
}, async ({ page, browser, put, email, gate, backend }) => {
  const url = put(BODY);
  const confirm = async (address: string) => {
    await page.goto(
      new URL(LINKS.confirm + (await receiveToken(backend.mailbox, address, 'confirm')), gate.origin).href,
    );
    // In a browser other than the one that signed up, confirming requires a click.
    const button = page.getByRole('button', { name: 'Confirm' });
    const done = page.getByRole('heading', { name: "You're on the list!" });
    await expect(button.or(done)).toBeVisible();
    if (await button.isVisible()) await button.click();
    await expect(done).toBeVisible();
  };

  const first = `first-${email}`;
  await signUp(page, url, first);
  await confirm(first);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/share'));
  const link = await signUp(page, url, email);
  const own = (await asked).postData() ?? '';
  const shared = await link.inputValue();
  expect(shared).toMatch(new RegExp(`^${url}\\?utm_source=share&utm_content=[\\w-]{10}$`));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shared);
  await confirm(email);
  const readFigures = async () => {
    const response = await fetch(new URL('/api/share', gate.origin), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: own,
    });
    const { share } = await response.json();
    return [share.friends, share.place];
  };
  expect(await readFigures()).toEqual(['Friends who joined: 0', 'Your place in line: 2']);

  const friend = `friend-${email}`;
  const context = await browser.newContext();
  await signUp(await context.newPage(), shared, friend);
  await context.close();
  expect(await readFigures()).toEqual(['Friends who joined: 0', 'Your place in line: 2']);
  await confirm(friend);
  expect(await readFigures()).toEqual(['Friends who joined: 1', 'Your place in line: 1']);

  // An address that is already on the list has no link to show.
  await page.goto(url);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Join the beta' }).click();
  await expect(toast(page, 'This email is already registered!')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Share your link' })).toHaveCount(0);
});
