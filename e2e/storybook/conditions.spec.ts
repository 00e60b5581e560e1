import { expectAccessible } from '../support/axe.ts';
import { chooseStory, entries, expect, openStory, test } from './catalogue.ts';

const SHEET = 'widgets-state-sheet--signup-form-states';

for (const globals of [
  'theme:lagoon-light',
  'theme:lagoon-dark',
  'theme:light;locale:ar',
  'theme:dark;locale:pseudo',
]) {
  test(`axe finds nothing on the state sheet with ${globals}`, async ({ page }) => {
    await openStory(page, SHEET, globals);
    await expectAccessible(page, { parts: ['#storybook-root'] });
  });
}

test.describe('on a phone, in another theme and language', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  const stories = entries().filter(({ type, title }) => type === 'story' && /^(Widgets|Flows)\//.test(title));
  for (const title of new Set(stories.map((story) => story.title))) {
    test(`each state of ${title} fits`, async ({ page }) => {
      // Up to thirty stories.
      test.slow();
      for (const [number, { id }] of stories.filter((story) => story.title === title).entries()) {
        await (number === 0 ? openStory(page, id, 'theme:lagoon-dark;locale:ar') : chooseStory(page, id));
        const overflow = await page.evaluate(() => {
          const { scrollWidth, clientWidth, dir, lang } = document.documentElement;
          return { sideways: scrollWidth - clientWidth, dir, lang };
        });
        expect(overflow, id).toEqual({ sideways: 0, dir: 'rtl', lang: 'ar' });
      }
    });
  }
});

test.describe('in forced colors', () => {
  test('an invalid field, its focus, the button and a toast are visible without custom colors', async ({ page }) => {
    const look = async () => {
      await openStory(page, 'conditions-forced-colors--signup-form-forced');
      return page.evaluate(() => {
        const readStyle = (part: string) => {
          const element = document.querySelector(part);
          if (!element) throw new Error(`there is no ${part}`);
          return getComputedStyle(element);
        };
        const [field, button, toast] = ['.eak-form__input', '.eak-form__button', '.eak-toast'].map(readStyle);
        return {
          active: matchMedia('(forced-colors: active)').matches,
          field: Number.parseFloat(field?.borderTopWidth ?? ''),
          ring: `${field?.outlineStyle} ${Number.parseFloat(field?.outlineWidth ?? '') > 1}`,
          button: [button?.borderTopStyle, button?.borderTopColor === button?.backgroundColor],
          toast: [toast?.borderTopStyle, toast?.borderTopColor === toast?.backgroundColor],
        };
      });
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
});

test('a toast slides in, unless the system or the toolbar asks for less motion', async ({ page }) => {
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
