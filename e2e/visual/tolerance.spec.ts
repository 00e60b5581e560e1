import base from './playwright.config.ts';
import { fontSettingsOfAnotherMachine } from './support/other-machine.ts';
import { expect, setInOwnFonts, testOfSite as test } from './support/test.ts';

/** Tests the comparison itself: the differences that it must accept, and those that it must report. */
test.use({
  viewport: { width: 390, height: 844 },
  colorScheme: 'light',
  launchOptions: {
    ...base.use?.launchOptions,
    ignoreDefaultArgs: ['--font-render-hinting=none'],
    args: ['--font-render-hinting=full'],
    env: { ...process.env, FONTCONFIG_FILE: fontSettingsOfAnotherMachine() },
  },
});

const PICTURE = 'landing-page-phone-light-hero.png';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('form[novalidate]')).toHaveCount(2);
  await setInOwnFonts(page);
});

test('text with another machine’s rendering passes', async ({ page }) => {
  await expect(page.locator('.hero')).toHaveScreenshot(PICTURE);
  // Without the shared fonts, the other machine does render differently.
  await page.addStyleTag({ content: ':root:root:root * { text-rendering: auto } body { will-change: auto }' });
  await expect(page.locator('.hero')).not.toHaveScreenshot(PICTURE);
});

for (const [change, style] of [
  ['a button that moves by two pixels', '.eak-form__button { translate: 0 2px }'],
  ['a color that changes by a shade', ':root:root { --eak-accent: #f25a3b }'],
  ['a line that becomes thicker', '.eak-form__input { border-width: 2px }'],
  ['a letter too many', '.hero__lede::after { content: "s" }'],
] as const) {
  test(`${change} is detected`, async ({ page }) => {
    await expect(page.locator('.hero')).toHaveScreenshot(PICTURE);
    await page.addStyleTag({ content: style });
    await expect(page.locator('.hero')).not.toHaveScreenshot(PICTURE);
  });
}
