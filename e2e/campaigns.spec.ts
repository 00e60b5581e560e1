import { signIn } from './support/sign-in.ts';
import { ADMIN_EMAIL, expect, test } from './support/test.ts';

// The dashboard's first request tells it that there is no session.
test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

test('the admin imports people and sends them a campaign with a preview and a test, and each gets the email once', {
  tag: '@main',
}, async ({ browser, backend, email, contextOptions }) => {
  const source = `fair-${email.split('@')[0]}`.slice(0, 40);
  const people = Array.from({ length: 5 }, (_, index) => `guest-${index}-${email}`);
  const csv = ['E-Mail;Source', ...people.map((address) => `${address};${source}`), 'nobody;x', `${people[0]};x`];
  const admin = await (await browser.newContext(contextOptions)).newPage();
  await signIn(admin, backend.server.origin, backend.mailbox, ADMIN_EMAIL);

  await test.step('Import', async () => {
    await admin.getByRole('link', { name: 'People' }).click();
    await admin.getByRole('link', { name: 'Import…' }).click();
    const buffer = Buffer.from(csv.join('\n'));
    await admin.getByLabel(/^CSV file/).setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer });
    await expect(admin.getByText('5 people will be added.')).toBeVisible();
    await expect(admin.getByText('Skipped: 1 repeated in the file, 1 line with a problem.')).toBeVisible();
    await admin.getByRole('button', { name: 'Import 5 people' }).click();
    await expect(admin.getByText('5 people were added.')).toBeVisible();
    expect(people.flatMap((address) => backend.mailbox.mailsTo(address))).toEqual([]);
  });

  await test.step('Write', async () => {
    await admin.getByRole('link', { name: 'Campaigns' }).click();
    await admin.getByRole('button', { name: 'Create campaign' }).first().click();
    await admin.getByLabel('Subject').fill(`We are open, ${source}`);
    await admin.getByLabel(/^Text/).fill('# Come in\n\n[Start](https://studio.example/start)');
    await admin.getByLabel('Source').selectOption(source);
    await expect(admin.getByText('It goes to 5 people, within an hour.')).toBeVisible();
    for (const [look, frame] of [
      ['Email', 'Preview: Email'],
      ['Dark', 'Preview: Dark'],
    ] as const) {
      await admin.getByRole('button', { name: look, exact: true }).click();
      await expect(admin.frameLocator(`[title="${frame}"]`).getByRole('heading', { name: 'Come in' })).toBeVisible();
    }
    await admin.getByRole('button', { name: 'Send me a test' }).click();
    await expect(admin.getByText(`Sent to ${ADMIN_EMAIL}.`)).toBeVisible();
  });

  await test.step('Schedule it, and change the mind', async () => {
    await admin.getByRole('button', { name: 'Send to 5 people…' }).click();
    await admin.getByRole('radio', { name: 'Later' }).check();
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await admin.getByLabel(/^Date and time/).fill('2020-01-01T09:00');
    await admin.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect(admin.getByRole('alert')).toHaveText(/^2020-01-01 09:00 has passed in .+; the earliest time is /);
    await admin.getByLabel(/^Date and time/).fill(`${day}T09:00`);
    await admin.getByRole('button', { name: 'Schedule', exact: true }).click();
    const card = admin.getByRole('region', { name: `We are open, ${source}` });
    await expect(card.getByText(/^for .*, 09:00 \(/)).toBeVisible();
    await card.getByRole('button', { name: 'Unschedule' }).click();
    await card.getByRole('button', { name: 'Edit' }).click();
  });

  await test.step('Send', async () => {
    await admin.getByRole('button', { name: 'Send to 5 people…' }).click();
    await admin.getByRole('button', { name: 'Start sending' }).click();
    const card = admin.getByRole('region', { name: `We are open, ${source}` });
    await expect(card.getByText('Done')).toBeVisible();
    await expect(card.getByText('5 of 5 people')).toBeVisible();
    const results = admin.getByRole('row', { name: new RegExp(`^We are open, ${source}`) });
    await expect(results.getByRole('cell')).toHaveText(['5', '0', '0', '0', '0']);
    for (const address of people) {
      const mail = await backend.mailbox.waitForMail(address);
      expect(mail).toMatchObject({ subject: `We are open, ${source}`, html: expect.stringContaining('>Come in<') });
      expect(mail.text).toContain('/unsubscribe?token=');
      expect(backend.mailbox.mailsTo(address)).toHaveLength(1);
    }
  });
  await admin.context().close();
});
