import { openStory, test, WITHOUT_AXE } from '../storybook/catalogue.ts';
import { DEVICES, expect, SCHEMES, setInOwnFonts } from './support/test.ts';

for (const [device, viewport] of DEVICES) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    for (const scheme of SCHEMES) {
      test(`the states of the form look as they did, in ${scheme}`, async ({ page }) => {
        // The story's play function puts the forms into their states.
        await openStory(page, 'widgets-state-sheet--signup-form-states', `theme:${scheme};${WITHOUT_AXE}`);
        await setInOwnFonts(page);
        await expect(page.locator('.sheet')).toHaveScreenshot(`state-sheet-${device}-${scheme}.png`);
      });
    }
  });
}
