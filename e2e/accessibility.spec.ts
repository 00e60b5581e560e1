import { expectAccessibleInBothSchemes } from './support/axe.ts';
import {
  ADMIN_EMAIL,
  DUPLICATE,
  expect,
  FAILED,
  openLandingPage,
  SUCCEEDED,
  signupForm,
  test,
  toast,
} from './support/test.ts';

test.use({ expectedComplaints: [/Failed to load resource|^404/] });

test.describe('in light and dark, axe finds nothing', () => {
  test('in the pages that links in emails lead to', async ({ page }) => {
    const token = 'x'.repeat(43);
    await page.goto(`/unsubscribe?token=${token}`);
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await page.route('**/api/confirm', (route) => route.fulfill({ json: { result: 'expired' } }));
    await page.goto(`/confirm#token=${token}`);
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeFocused();
    await expectAccessibleInBothSchemes(page);
    await page.route('**/api/confirm/renew', (route) => route.fulfill({ status: 429 }));
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await expect(page.getByRole('alert')).toHaveText('Too many attempts. Please try again later.');
    await expectAccessibleInBothSchemes(page);

    await page.goto('about:blank');
    await page.goto('/confirm');
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeFocused();
    await expectAccessibleInBothSchemes(page);
  });

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

  test('in any state of the overlay', async ({ page }) => {
    await openLandingPage(page);
    await page.keyboard.press('Control+Alt+KeyA');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['dialog']);

    const field = dialog.getByLabel('Admin email');
    await field.fill('visitor@example.org');
    await field.press('Enter');
    await expect(dialog.getByText('Invalid admin email')).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['dialog']);

    await field.fill(ADMIN_EMAIL);
    await field.press('Enter');
    await expect(dialog.getByRole('heading', { name: 'Analytics Overview' })).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['dialog']);

    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: 'Analytics Overview' })).toContainText(/Unique Visitors \d/);
    await expectAccessibleInBothSchemes(page);

    await page.route('**/api/summary', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('region', { name: 'Analytics Overview' })).toContainText('–');
    await page.getByRole('region', { name: 'Analytics Overview' }).getByRole('button').click();
    await expect(dialog.getByText('The figures cannot be loaded right now.')).toBeVisible();
    await expectAccessibleInBothSchemes(page, ['dialog']);
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

test('the keyboard reaches every control in reading order with a visible focus', async ({ page }) => {
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
