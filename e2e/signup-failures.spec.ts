import { UNKNOWN_DOMAIN } from '@early-access-kit/testkit/smtp-server';
import { routeCalls } from './support/calls.ts';
import { expect, expectMailSent, FAILED, openLandingPage, SUCCEEDED, signupForm, test, toast } from './support/test.ts';

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

  test('an acknowledged signup survives a crash of the server', { tag: ['@main', '@self-hosted'] }, async ({
    page,
    email,
    backend,
  }) => {
    await openLandingPage(page);
    const { input, button, success } = signupForm(page, 'bottom');
    await input.fill(email);
    await button.click();
    await expect(success).toBeVisible();
    await backend.server.kill();
    await backend.server.start();
    expect(await backend.database.signup(email)).toBeDefined();
  });

  test('a lost response does not become "already registered"', async ({ page, email, backend }) => {
    await openLandingPage(page);
    let attempts = 0;
    await routeCalls(page, 'signup', async (route) => {
      attempts += 1;
      const response = await route.fetch();
      // The server stores the signup, but the response is lost.
      if (attempts === 1) await route.abort('connectionreset');
      else await route.fulfill({ response });
    });
    const { input, button, success } = signupForm(page, 'hero');
    await input.fill(email);
    await button.click();
    await expect(success).toBeVisible();
    await expect(toast(page, SUCCEEDED)).toBeVisible();
    expect(attempts).toBeGreaterThan(1);
    await backend.mailbox.waitForMail(email);
    await expectMailSent(backend, email);
    expect(backend.mailbox.mailsTo(email)).toHaveLength(1);
  });

  for (const status of [400, 429, 500]) {
    test(`a response with status ${status} is an error like any other`, async ({
      page,
      email,
      backend,
      complaints,
    }) => {
      await openLandingPage(page);
      await routeCalls(page, 'signup', (route) => route.fulfill({ status, body: 'no' }));
      const { input, button } = signupForm(page, 'bottom');
      await input.fill(email);
      await button.click();
      await expect(toast(page, FAILED)).toBeVisible();
      await expect(button).toBeEnabled();
      expect(await backend.database.signup(email)).toBeUndefined();
      // Only the host can fix an invalid signup.
      const own = complaints.filter((text) => text.startsWith('early-access-kit'));
      const warning = expect.stringMatching(/^early-access-kit: (HTTP )?400 no$/);
      expect(own).toEqual(status === 400 ? [warning] : []);
    });
  }

  test('a failed welcome email changes nothing for the visitor', async ({ page, backend, email }) => {
    const address = email.replace('example.org', UNKNOWN_DOMAIN);
    await openLandingPage(page);
    await routeCalls(page, 'welcome email', (route) => route.fulfill({ status: 500 }));
    const { input, button, success } = signupForm(page, 'hero');
    await input.fill(address);
    await button.click();
    await expect(success).toBeVisible();
    await expect(toast(page, SUCCEEDED)).toBeVisible();
    await expect.poll(() => backend.database.mailState(address)).toBe('failed');
    await expect(toast(page, FAILED)).toHaveCount(0);
  });
});
