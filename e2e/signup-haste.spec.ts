import { collectCalls, parseCall, routeCalls } from './support/calls.ts';
import { expect, expectHydrated, openLandingPage, signupForm, test } from './support/test.ts';

test.describe('impatient visitors', () => {
  test('a double click makes one signup and one request', async ({ page, email, backend }) => {
    await openLandingPage(page);
    const calls = collectCalls(page);
    const { input, button, success } = signupForm(page, 'hero');
    await input.fill(email);
    await button.dblclick();
    await expect(success).toBeVisible();
    expect(calls.filter((call) => call === 'signup')).toHaveLength(1);
    expect(await backend.database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
  });

  test('holding Enter makes one signup and one request', async ({ page, email }) => {
    await openLandingPage(page);
    const calls = collectCalls(page);
    const { input, success } = signupForm(page, 'hero');
    await input.fill(email);
    for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await expect(success).toBeVisible();
    expect(calls.filter((call) => call === 'signup')).toHaveLength(1);
  });

  test('the form waits for a slow response, and typing meanwhile changes nothing', async ({ page, email, backend }) => {
    await openLandingPage(page);
    const response = Promise.withResolvers<void>();
    await routeCalls(page, 'signup', async (route) => {
      await response.promise;
      await route.continue();
    });
    const { form, input, button, success } = signupForm(page, 'hero');
    await input.fill(email);
    const requested = page.waitForRequest((request) => parseCall(request) === 'signup');
    await input.press('Enter');
    await requested;
    await expect(button).toHaveText('Joining...');
    await expect(button).toBeDisabled();
    await expect(form).toHaveAttribute('aria-busy', 'true');
    await input.press('x');
    await expect(input).toHaveValue(email);
    response.resolve();
    await expect(success).toBeVisible();
    expect(await backend.database.signup(email)).toBeDefined();
  });

  test('text typed before hydration survives an extension that changed the forms', async ({ page }) => {
    const script = Promise.withResolvers<void>();
    await page.route('**/assets/app*.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    const hero = signupForm(page, 'hero').input;
    const bottom = signupForm(page, 'bottom').input;
    await bottom.fill('ada@example.org');
    await hero.pressSequentially('grace@');
    // A password manager adds its button beside each field.
    await page.evaluate(() => {
      for (const field of document.querySelectorAll('input[type=email]')) {
        field.before(document.createElement('x-password-manager'));
      }
    });
    const old = await hero.elementHandle();
    script.resolve();
    await expectHydrated(page);
    expect(await old?.evaluate((field) => field.isConnected)).toBe(true);
    await expect(hero).toBeFocused();
    await page.keyboard.type('example.org');
    await expect(hero).toHaveValue('grace@example.org');
    await expect(bottom).toHaveValue('ada@example.org');
  });
});
