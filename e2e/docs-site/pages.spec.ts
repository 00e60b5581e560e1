import type { Page } from '@playwright/test';
import { COLOR_RULES, expectAccessible } from '../support/axe.ts';
import { hearComplaints } from '../support/complaints.ts';
import { expect, openPage, PAGES, testOfSite as test } from './site.ts';

const DESKTOP = { width: 1280, height: 720 };
/** The narrowest phone, and any window at 400% zoom. */
const NARROW = { width: 320, height: 800 };
/** Only these pages are tested with the shared parts: header, sidebar, outline, search. */
const WHOLE = ['index.html', 'dashboard.html', 'widgets/theming.html'];

/** All pages of the API reference have the same layout, so only the largest is tested. */
const OTHER_REFERENCES = /^reference\/(?!early-access-kit\.html)/;

// All pages share one tab, whose cache stores compiled scripts.
let page: Page;
let complaints: string[];

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  complaints = hearComplaints(page.context());
});
test.afterAll(() => page.close());

for (const file of PAGES.filter((name) => !OTHER_REFERENCES.test(name))) {
  test(`${file}: axe finds no violation in either color scheme, and nothing is cut off on a phone`, async ({
    origin,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    await openPage(page, `${origin}/${file}`);
    const parts = WHOLE.includes(file) ? [] : ['.vp-doc'];
    await expectAccessible(page, { parts });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveClass(/\bdark\b/);
    await expectAccessible(page, { parts, rules: COLOR_RULES });
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
    expect(complaints).toEqual([]);
  });
}
