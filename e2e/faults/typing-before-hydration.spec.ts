import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import { expect, expectHydrated, signupForm, test } from '../support/test.ts';
import { drawKey, type TypedText, typeKey } from '../support/typed-text.ts';

const ROUNDS = rounds({ short: 2, long: 100 });
const KEYS = 24;
const ROUND_MS = 20_000;

test.setTimeout(HANGING_MS + ROUNDS * ROUND_MS);

test(`${ROUNDS} times typing while the page hydrates`, { tag: '@self-hosted' }, async ({ page }) => {
  const chance = createChance('typing before hydration');
  let script = Promise.withResolvers<void>();
  await page.route('**/assets/app*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.addInitScript(() => {
    const lost = { focus: 0 };
    Object.assign(window, { lost });
    addEventListener('focusout', () => lost.focus++, true);
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    script = Promise.withResolvers();
    await page.goto('/', { waitUntil: 'commit' });
    const { input } = signupForm(page, chance.below(2) === 0 ? 'hero' : 'bottom');
    await input.focus();
    const releasedAt = chance.below(KEYS);
    // Either the script arrives during typing, or all keys wait for it, with any selection at that time.
    const pauses = chance.below(2) === 0;
    const keys = Array.from({ length: KEYS }, () => drawKey(chance));
    let text: TypedText = { value: '', anchor: 0, caret: 0 };
    for (const [index, key] of keys.entries()) {
      if (index === releasedAt) {
        script.resolve();
        if (pauses) await expectHydrated(page);
      }
      await page.keyboard.press(key);
      text = typeKey(text, key);
    }
    await expectHydrated(page);
    // Reveals the position of the caret, which email fields do not expose.
    await page.keyboard.press('z');
    const found = await input.evaluate((field: HTMLInputElement) => ({
      value: field.value,
      isFocused: document.activeElement === field,
      lost: Reflect.get(window, 'lost').focus,
    }));
    expect(found, keys.join(' ')).toEqual({ value: typeKey(text, 'z').value, isFocused: true, lost: 0 });
  }
  report('typing before hydration: text, selection and focus unchanged', `${ROUNDS} of ${ROUNDS}`);
});
