import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { COLOR_RULES, expectAccessible } from '../support/axe.ts';
import { hearComplaints } from '../support/complaints.ts';
import { expect, FOLDER, openPage, PAGES, testOfSite as test } from './site.ts';

const DESKTOP = { width: 1280, height: 720 };
/** The narrowest phone, and any window at 400% zoom. */
const NARROW = { width: 320, height: 800 };
/** Only these pages are tested with the shared parts: header, sidebar, outline, search. */
const WHOLE = ['index.html', 'dashboard.html', 'widgets/theming.html'];
/** All pages of the API reference have the same layout, so only the largest is tested. */
const TESTED = PAGES.filter((file) => !/^reference\/(?!early-access-kit\.html)/.test(file));

/**
 * All pages have the same dark colors, so these are tested on the whole pages, and on the largest one with each kind of
 * content, such as code in a language.
 */
const IN_DARK = new Set(WHOLE);
const sources = TESTED.map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')] as const);
const found = new Set<string>();
for (const [file, html] of sources.toSorted(([, a], [, b]) => b.length - a.length)) {
  const kinds = html.match(/class="(language-\w+|\w+ custom-block)|<(table|details|blockquote|dl)\b/g) ?? [];
  if (kinds.some((kind) => !found.has(kind))) IN_DARK.add(file);
  for (const kind of kinds) found.add(kind);
}

// All pages share one tab, whose cache stores compiled scripts.
let page: Page;
let complaints: string[];

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  complaints = hearComplaints(page.context());
});
test.afterAll(() => page.close());

for (const file of TESTED) {
  test(`${file}: axe finds no violation, and nothing is cut off on a phone`, async ({ origin }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    await openPage(page, `${origin}/${file}`);
    const parts = WHOLE.includes(file) ? [] : ['.vp-doc'];
    await expectAccessible(page, { parts });
    if (IN_DARK.has(file)) {
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect(page.locator('html')).toHaveClass(/\bdark\b/);
      await expectAccessible(page, { parts, rules: COLOR_RULES });
    }
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
    expect(complaints).toEqual([]);
  });
}
