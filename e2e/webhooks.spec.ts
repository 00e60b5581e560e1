import { startWebhookReceiver, type WebhookReceiver } from '@early-access-kit/testkit/webhook-receiver';
import { whileOpen } from './support/backend.ts';
import { signIn } from './support/sign-in.ts';
import { ADMIN_EMAIL, test as base, expect, openLandingPage, signupForm } from './support/test.ts';

const test = base.extend<{ receiver: WebhookReceiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
  receiver: async ({}, use) => whileOpen(startWebhookReceiver(), use),
});

// The dashboard's first request tells it that there is no session.
test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

test('the admin adds an endpoint, which gets an event for each signup, and again one that it missed', {
  tag: '@main',
}, async ({ browser, page, backend, receiver, email, contextOptions }) => {
  const admin = await (await browser.newContext(contextOptions)).newPage();
  await admin.clock.install();
  await signIn(admin, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
  const card = admin.getByRole('region', { name: new URL(receiver.url).host });
  const log = card.getByRole('region', { name: 'Deliveries' });
  let secret = '';

  const signUp = async (address: string) => {
    await openLandingPage(page);
    const { input, button, success } = signupForm(page, 'hero');
    await input.fill(address);
    await button.click();
    await expect(success).toBeVisible();
  };
  const told = (address: string) => ({
    type: 'signup.created',
    timestamp: expect.any(String),
    data: expect.objectContaining({ email: address, state: 'subscribed' }),
  });
  const expectEvents = (...events: unknown[]) => expect.poll(() => receiver.events(secret)).toEqual(events);
  /** The log is polled every few seconds, so the browser's clock is advanced. */
  const expectInLog = (text: string, count: number) =>
    expect(async () => {
      await admin.clock.fastForward(5_000);
      await expect(log.getByRole('row', { name: /^New signup/ }).getByText(text)).toHaveCount(count, { timeout: 500 });
    }).toPass();
  const tried = expect.objectContaining({ type: 'test' });

  await test.step('Add', async () => {
    await admin.getByRole('link', { name: 'Webhooks' }).click();
    await admin.getByRole('button', { name: 'Add endpoint' }).click();
    await admin.getByLabel('URL').fill('example.com');
    await admin.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(admin.getByRole('alert')).toContainText('must look like https://example.com/hooks');
    await admin.getByLabel('URL').fill(receiver.url);
    await admin.getByRole('button', { name: 'Add', exact: true }).click();
    secret = await admin.getByLabel('Secret').inputValue();
    await admin.getByRole('button', { name: 'Done' }).click();
    await expect(card.getByText('On', { exact: true })).toBeVisible();
  });

  await test.step('Try', async () => {
    await card.getByRole('button', { name: 'Send a test event' }).click();
    await expect(card.getByText('It responded 204.')).toBeVisible();
    await expectEvents(tried);
  });

  await test.step('Be told', async () => {
    await signUp(email);
    await expectEvents(tried, told(email));
    await card.getByRole('button', { name: 'Show deliveries' }).click();
    await expectInLog('Sent', 1);
  });

  await test.step('Miss one, and get it again', async () => {
    receiver.status = 500;
    const missed = `missed-${email}`;
    await signUp(missed);
    await expectInLog('it responded 500', 1);
    receiver.status = 204;
    const row = log.getByRole('row', { name: /it responded 500/ });
    await row.getByRole('button', { name: /^Send again: New signup/ }).click();
    await expect(admin.getByText('Event resent.')).toBeVisible();
    // On a slow machine, the event may also be retried automatically.
    const firstEvents = () => receiver.events(secret).slice(0, 4);
    await expect.poll(firstEvents).toEqual([tried, told(email), told(missed), told(missed)]);
    await expectInLog('Sent', 2);
  });
  await admin.context().close();
});
