import { expect, FAILED, openLandingPage, signupForm, test, toast } from './support/test.ts';

test.describe('when the network fails', () => {
  test.use({ expectedComplaints: [/Failed to load resource|early-access-kit: (HTTP )?400/] });

  test('shows an error while the server is down, and signs up once it is back', { tag: '@main' }, async ({
    page,
    email,
    backend,
  }) => {
    await openLandingPage(page);
    const { input, button, success } = signupForm(page, 'hero');
    await backend.server.stop();
    await input.fill(email);
    await button.click();
    await expect(toast(page, FAILED)).toBeVisible();
    await expect(button).toHaveText('Join the beta');
    await expect(input).toHaveValue(email);
    await backend.server.start();
    await button.click();
    await expect(success).toBeVisible();
    expect(await backend.database.signup(email)).toBeDefined();
    await backend.mailbox.waitForMail(email);
  });
});
