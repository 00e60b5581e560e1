import { expectAccessible } from '../support/axe.ts';
import { chooseStory, entries, expect, openStory, test } from './catalogue.ts';

const SHEET = 'widgets-state-sheet--signup-form-states';

for (const globals of [
  'theme:lagoon-light',
  'theme:lagoon-dark',
  'theme:light;locale:ar',
  'theme:dark;locale:pseudo',
]) {
  test(`axe finds no violation on the state sheet with ${globals}`, async ({ page }) => {
    await openStory(page, SHEET, globals);
    await expectAccessible(page, { parts: ['#storybook-root'] });
  });
}

/** A window of 1280 by 1024 pixels at 400% zoom (WCAG 1.4.10). */
test.describe('at 400% zoom, in another theme and right-to-left', () => {
  test.use({ viewport: { width: 320, height: 256 } });

  const stories = entries().filter(({ type, title }) => type === 'story' && title.startsWith('Widgets/'));
  for (const title of new Set(stories.map((story) => story.title))) {
    test(`each state of ${title} fits`, async ({ page }) => {
      // Up to thirty stories.
      test.slow();
      for (const [number, { id }] of stories.filter((story) => story.title === title).entries()) {
        await (number === 0 ? openStory(page, id, 'theme:lagoon-dark;locale:ar') : chooseStory(page, id));
        const overflow = await page.evaluate(() => {
          const { scrollWidth, clientWidth, clientHeight, dir, lang } = document.documentElement;
          // A dialog taller than the window scrolls vertically but never horizontally.
          const dialogs = [...document.querySelectorAll('dialog')].filter((dialog) => {
            const { top, bottom } = dialog.getBoundingClientRect();
            return top < 0 || bottom > clientHeight || dialog.scrollWidth > dialog.clientWidth;
          });
          return { sideways: scrollWidth - clientWidth, dialogs: dialogs.length, dir, lang };
        });
        expect(overflow, id).toEqual({ sideways: 0, dialogs: 0, dir: 'rtl', lang: 'ar' });
      }
    });
  }
});

test('in forced colors, an invalid field, its focus, the button and a toast are visible without custom colors', async ({
  page,
}) => {
  const readStyle = (part: string) =>
    page.locator(part).evaluate((element) => {
      const { borderTopStyle, borderTopColor, borderTopWidth, backgroundColor, outlineStyle, outlineWidth } =
        getComputedStyle(element);
      return {
        width: Number.parseFloat(borderTopWidth),
        ring: `${outlineStyle} ${Number.parseFloat(outlineWidth) > 1}`,
        shape: [borderTopStyle, borderTopColor === backgroundColor],
      };
    });
  const look = async () => {
    await openStory(page, 'widgets-toasts--failure');
    const toast = await readStyle('.eak-toast');
    await openStory(page, 'widgets-signup-form--invalid');
    const [field, button] = [await readStyle('.eak-form__input'), await readStyle('.eak-form__button')];
    const active = await page.evaluate(() => matchMedia('(forced-colors: active)').matches);
    return { active, field: field.width, ring: field.ring, button: button.shape, toast: toast.shape };
  };
  const plain = await look();
  await page.emulateMedia({ forcedColors: 'active' });
  const forced = await look();
  expect([plain.active, forced.active]).toEqual([false, true]);
  // Invalid is not indicated by color alone.
  expect(forced.field).toBeGreaterThan(plain.field);
  expect(forced.ring).toBe('solid true');
  expect(forced.button).toEqual(['solid', false]);
  expect(forced.toast).toEqual(['solid', false]);
});

test('a toast slides in, unless the system or the toolbar requests reduced motion', async ({ page }) => {
  const animation = async (globals: string) => {
    await openStory(page, 'widgets-toasts--success', globals);
    return page.locator('.eak-toast').evaluate((toast) => getComputedStyle(toast).animationName);
  };
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await animation('motion:system')).not.toBe('none');
  expect(await animation('motion:reduce')).toBe('none');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await animation('motion:system')).toBe('none');
});
