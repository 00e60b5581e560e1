import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import base from './playwright.config.ts';
import { expect, setInOwnFonts, testOfSite as test } from './support/test.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../node_modules/.cache/e2e-visual-fonts');

const SETTINGS = [
  '<edit name="hinting" mode="assign"><bool>true</bool></edit>',
  '<edit name="autohint" mode="assign"><bool>true</bool></edit>',
  '<edit name="hintstyle" mode="assign"><const>hintfull</const></edit>',
  '<edit name="rgba" mode="assign"><const>rgb</const></edit>',
].join('');

/** Font settings of a machine with full hinting and subpixel antialiasing. */
function fontSettingsOfAnotherMachine(): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, 'fonts.conf');
  const matches = ['pattern', 'font'].map((target) => `<match target="${target}">${SETTINGS}</match>`).join('');
  const folders = `<dir>/usr/share/fonts</dir><dir>${FOLDER}/../chromium/fonts</dir><cachedir>${FOLDER}</cachedir>`;
  writeFileSync(file, `<?xml version="1.0"?>\n<fontconfig>${folders}${matches}</fontconfig>\n`);
  return file;
}

/** Tests the comparison itself: which differences it must accept and which it must report. */
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
