/**
 * Replaces Playwright's Firefox if it cannot be downloaded: drives the installed Firefox over WebDriver BiDi. Also
 * tests features that Playwright's builds disable: tabs in the background, and the back/forward cache.
 */
import { launch, type Page } from 'puppeteer-core';
import type { Database } from '../support/database.ts';
import { SUCCEEDED } from '../support/test.ts';
import { endedVisit } from '../support/visit.ts';
import { test as base, expect } from './support.ts';

const test = base.extend<{ tab: Page }>({
  tab: async ({ gate }, use) => {
    const browser = await launch({
      browser: 'firefox',
      executablePath: process.env.FIREFOX_PATH ?? '',
      defaultViewport: { width: 1_280, height: 900 },
      // Puppeteer disables the cache.
      extraPrefsFirefox: { 'fission.bfcacheInParent': true },
    });
    const tab = await browser.newPage();
    await tab.goto(gate.origin);
    await tab.locator('form.eak-form[novalidate]').wait();
    await use(tab);
    await browser.close();
  },
});

/** Returns the id of the page's session once its start is in the database. */
async function startedSession(tab: Page, database: Database): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      id = await tab.evaluate(() => JSON.parse(localStorage.getItem('current_session') ?? '{}').sessionId ?? '');
      return (await database.session(id))?.browser;
    })
    .toBe('Firefox');
  return id;
}

test('sign up, by keyboard', async ({ tab, email, backend: { database, mailbox } }) => {
  await tab.locator('.hero input[type=email]').click();
  await tab.keyboard.type('ada');
  await tab.keyboard.press('Enter');
  await tab.locator('.hero ::-p-text(Please enter a valid email address)').wait();
  for (let key = 0; key < 3; key += 1) await tab.keyboard.press('Backspace');
  await tab.keyboard.type(`  ${email.toUpperCase()} `);
  await tab.keyboard.press('Enter');
  await tab.locator("::-p-text(You're on the list!)").wait();
  await tab.locator(`[role=status] ::-p-text(${SUCCEEDED})`).wait();
  expect(await database.signup(email)).toMatchObject({ email, source: 'landing_page' });
  expect(await mailbox.waitForMail(email)).toMatchObject({ to: [{ name: '', address: email }] });
});

test('a background tab sends its totals, resumes when it is shown, and ends when it is closed', async ({
  tab,
  backend: { database },
}) => {
  const id = await startedSession(tab, database);
  await tab.locator('h1').click();
  const other = await tab.browser().newPage();
  expect(await endedVisit(id, database)).toMatchObject({ click_count: 1, page_count: 1 });
  await tab.bringToFront();
  await tab.locator('h1').click();
  await other.bringToFront();
  await expect.poll(() => database.session(id)).toMatchObject({ click_count: 2, page_count: 1 });
  await tab.bringToFront();
  await tab.locator('h1').click();
  await tab.close({ runBeforeUnload: true });
  await expect.poll(() => database.session(id)).toMatchObject({ click_count: 3, page_count: 1 });
});

test('a page from the back/forward cache resumes its session', async ({ tab, gate, backend: { database } }) => {
  const id = await startedSession(tab, database);
  await tab.evaluate(() => Object.assign(window, { before: 'still here' }).before);
  await tab.goto(`${gate.origin}/elsewhere`);
  await endedVisit(id, database);
  // Not `goBack`, which waits for a page load.
  await tab.evaluate(() => history.back());
  // The same page, not a reload. While the page changes, nothing can be evaluated.
  const before = () => tab.evaluate(() => Reflect.get(window, 'before')).catch(() => null);
  await expect.poll(before).toBe('still here');
  await expect.poll(() => database.session(id)).toMatchObject({ page_count: 2, is_bounce: 0 });
});
