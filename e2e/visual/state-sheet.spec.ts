import { openStory, test } from '../storybook/catalogue.ts';
import { DEVICES, expect, SCHEMES, setInOwnFonts } from './support/test.ts';

for (const [device, viewport] of DEVICES) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('the states of the form look as they did, in light and dark', async ({ page }) => {
      // Its play function puts the forms into their states.
      await openStory(page, 'widgets-state-sheet--signup-form-states');
      await setInOwnFonts(page);
      for (const scheme of SCHEMES) {
        await expect
          .soft(page.locator(`.sheet__scheme--${scheme}`))
          .toHaveScreenshot(`state-sheet-${device}-${scheme}.png`);
      }
    });
  });
}
