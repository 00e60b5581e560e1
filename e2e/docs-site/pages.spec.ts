import { COLOUR_RULES, expectAccessible } from '../support/axe.ts';
import { expect, PAGES, test } from './site.ts';

/** The narrowest phone, and any page at 400% zoom. */
const NARROW = { width: 320, height: 800 };
/** Pages with the parts that others share: bar, sidebar, outline, search. */
const WHOLE = ['index.html', 'dashboard.html', 'widgets/theming.html'];

/** All pages of the API reference look the same, so only the largest is tested. */
const OTHER_REFERENCES = /^reference\/(?!early-access-kit\.html)/;

for (const file of PAGES.filter((page) => !OTHER_REFERENCES.test(page))) {
  test(`${file}: axe finds nothing in either colour scheme, and nothing is cut off on a phone`, async ({ page }) => {
    await page.goto(file);
    const parts = WHOLE.includes(file) ? [] : ['.vp-doc'];
    await expectAccessible(page, { parts });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveClass(/\bdark\b/);
    await expectAccessible(page, { parts, rules: COLOUR_RULES });
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  });
}
