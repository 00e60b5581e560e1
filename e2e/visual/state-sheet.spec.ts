import { expect, setInOwnFonts, testOfStorybook as test } from './support/test.ts';

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1440, height: 900 }],
] as const) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('the states of the form look as they did, in light and dark', async ({ page }) => {
      await page.goto(`/iframe.html?id=widgets-state-sheet--signup-form-states&viewMode=story`);
      // The story's play function puts the forms into their states.
      await page.waitForFunction(() =>
        Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__')?.last('storyFinished')?.some(Boolean),
      );
      await setInOwnFonts(page);
      for (const scheme of ['light', 'dark']) {
        await expect
          .soft(page.locator(`.sheet__scheme--${scheme}`))
          .toHaveScreenshot(`state-sheet-${device}-${scheme}.png`);
      }
    });
  });
}
