import { collectCalls, parseCall, routeCalls } from './support/calls.ts';
import { expect, openLandingPage, signupForm, test } from './support/test.ts';

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
});
