import { signIn } from './support/sign-in.ts';
import { ADMIN_EMAIL, expect, openLandingPage, SUCCEEDED, signupForm, test, toast } from './support/test.ts';

// No other test has visitors who read Finnish. A page learns from the response to its first request that it has no session.
test.use({ locale: 'fi-FI', expectedComplaints: [/401 \(Unauthorized\)/] });

test('the admin saves a filter as a segment and writes to it', async ({
  page,
  browser,
  backend,
  email,
  contextOptions,
}) => {
  await openLandingPage(page);
  const form = signupForm(page, 'hero');
  // The language of the page decides, not the browser's.
  await page.evaluate(() => {
    document.documentElement.lang = 'fi';
  });
  await form.input.fill(email);
  await form.button.click();
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  await backend.mailbox.waitForMail(email);
  const admin = await (await browser.newContext({ ...contextOptions, locale: 'en-GB' })).newPage();
  await signIn(admin, backend.server.origin, backend.mailbox, ADMIN_EMAIL);

  await test.step('Filter and save', async () => {
    await admin.getByRole('link', { name: 'People' }).click();
    await admin.getByRole('button', { name: 'Add filter' }).click();
    await admin.getByRole('combobox', { name: 'Filter by' }).selectOption('Language');
    await admin.getByRole('combobox', { name: 'Language', exact: true }).selectOption('Finnish');
    await admin.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(admin.getByRole('button', { name: email })).toBeVisible();
    await expect(admin.getByText('1 person matches').first()).toBeVisible();
    await admin.reload();
    await expect(admin.getByText('1 person matches').first()).toBeVisible();
    await admin.getByRole('button', { name: 'Save as segment…' }).click();
    await admin.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Finnish');
    await admin.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(admin.getByRole('combobox', { name: 'Segment' })).toHaveValue(/./);
  });

  await test.step('Write to it', async () => {
    await admin.getByRole('link', { name: 'Campaigns' }).click();
    await admin.getByRole('button', { name: 'Write an email' }).first().click();
    await admin.getByLabel('Subject').fill(`Tervetuloa, ${email}`);
    await admin.getByLabel(/^Text/).fill('# Hei');
    await admin.getByRole('combobox', { name: 'Segment' }).selectOption('Finnish');
    await admin.getByRole('button', { name: 'Send to 1 person…' }).click();
    await admin.getByRole('button', { name: 'Start sending' }).click();
    const card = admin.getByRole('region', { name: `Tervetuloa, ${email}` });
    await expect(card.getByText(/, if language is Finnish$/)).toBeVisible();
    await expect(card.getByText('1 of 1 person')).toBeVisible();
    await expect.poll(() => backend.mailbox.mailsTo(email).length).toBe(2);
  });
  await admin.context().close();
});
