import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { DUPLICATE, expect, FAILED, openLandingPage, SUCCEEDED, signupForm, test, toast } from './support/test.ts';

test.use({ expectedComplaints: [/Failed to load resource|^404/] });

test.describe('in light and dark, axe finds no violation', () => {
  test('in any state of the form', { tag: '@main' }, async ({ page, email }) => {
    await openLandingPage(page);
    await expectAccessibleInBothSchemes(page);

    const { input, button, success } = signupForm(page, 'hero');
    await input.fill('ada');
    await button.click();
    await expect(page.getByText('Please enter a valid email address')).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['.hero', '.eak-toasts']);

    const response = Promise.withResolvers<void>();
    await page.route('**/api/signups', async (route) => {
      await response.promise;
      await route.fulfill({ status: 500 });
    });
    await input.fill(email);
    await button.click();
    await expect(button).toHaveText('Joining...');
    await expectAccessibleInBothSchemes(page, ['.hero', '.eak-toasts']);
    response.resolve();
    await expect(toast(page, FAILED)).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['.hero', '.eak-toasts']);

    await page.unroute('**/api/signups');
    await button.click();
    await expect(success).toBeVisible();
    await expect(toast(page, SUCCEEDED)).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['.hero', '.eak-toasts']);
  });

  test('on the 404 page and without scripts', async ({ page, email }) => {
    await page.goto('/nowhere');
    await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await page.route('**/assets/*.js', () => {});
    await page.goto('/', { waitUntil: 'commit' });
    const { input, button } = signupForm(page, 'hero');
    for (const title of ["You're on the list!", DUPLICATE]) {
      await input.fill(email);
      await button.click();
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.goto('/', { waitUntil: 'commit' });
    }
  });
});

test('the keyboard reaches every control in reading order with visible focus', async ({ page }) => {
  await openLandingPage(page);
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body) return null;
      const { outlineStyle, boxShadow } = getComputedStyle(activeElement);
      const { y } = activeElement.getBoundingClientRect();
      const name = activeElement.textContent?.trim() || activeElement.getAttribute('name');
      return { name, top: Math.round(y + scrollY), visible: outlineStyle !== 'none' || boxShadow !== 'none' };
    });
  const stops: (string | null)[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await focused();
    if (!stop || stops.length > 30) break;
    expect(stop.visible, `the focus on ${stop.name}`).toBe(true);
    stops.push(stop.name);
  }
  expect(stops).toEqual([
    'Skip to content',
    'PrintMargin',
    'How it works',
    'Benefits',
    'Before vs after',
    'Join the beta',
    'email',
    'Join the beta',
    'email',
    'Join the beta',
    'Privacy, in short',
  ]);
});
