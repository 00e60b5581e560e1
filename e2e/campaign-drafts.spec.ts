import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Backend } from './support/backend.ts';
import { signIn } from './support/sign-in.ts';
import { ADMIN_EMAIL, expect, test } from './support/test.ts';

// The dashboard's first request tells it that there is no session.
test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

const newSubject = () => `We are open ${randomUUID()}`;

async function openCampaigns(page: Page, backend: Backend): Promise<void> {
  await signIn(page, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
  await page.getByRole('link', { name: 'Campaigns' }).click();
}

async function startWriting(page: Page, subject: string): Promise<void> {
  await page.getByRole('button', { name: 'Create campaign' }).first().click();
  await page.getByLabel('Subject').pressSequentially(subject);
}

const draftCards = (page: Page, subject: string) => page.getByRole('region', { name: subject, exact: true });

/** Opens the dashboard in this page until the draft exists, and then the draft. */
async function reopenDraft(page: Page, { server }: Backend, subject: string): Promise<void> {
  await expect(async () => {
    await page.goto(`${server.origin}/admin?page=campaigns`);
    await expect(draftCards(page, subject)).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(draftCards(page, subject)).toHaveCount(1);
  await draftCards(page, subject).getByRole('button', { name: 'Edit' }).click();
}

test('a tab that is closed within a second of typing loses nothing', async ({ page, context, backend }) => {
  await openCampaigns(page, backend);
  const subject = newSubject();
  await startWriting(page, subject);
  await page.getByLabel(/^Text/).pressSequentially('First');
  await page.close({ runBeforeUnload: true });

  const second = await context.newPage();
  await reopenDraft(second, backend, subject);
  await expect(second.getByLabel(/^Text/)).toHaveValue('First');
  await second.getByLabel(/^Text/).press('End');
  await second.getByLabel(/^Text/).pressSequentially(' and more');
  await second.goto('about:blank');

  await reopenDraft(second, backend, subject);
  await expect(second.getByLabel(/^Text/)).toHaveValue('First and more');
  await expect(second.getByRole('alert')).toHaveCount(0);
});

test('going back right after typing loses nothing', async ({ page, backend }) => {
  await openCampaigns(page, backend);
  const subject = newSubject();
  await startWriting(page, subject);
  await page.goBack();
  await draftCards(page, subject).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel(/^Text/).pressSequentially('Come in');
  await page.goBack();
  await page.goForward();
  await expect(page.getByLabel(/^Text/)).toHaveValue('Come in');
  await page.getByLabel(/^Text/).press('End');
  await page.getByLabel(/^Text/).pressSequentially('!');
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  await page.goBack();
  await expect(page.getByLabel(/^Text/)).toHaveValue('Come in!');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText(/changed in another tab/)).toHaveCount(0);
});

test('double clicks do everything once, and show no error', async ({ page, backend, email }) => {
  const source = `double-${email.split('@')[0]}`.slice(0, 40);
  const person = `guest-${email}`;
  await signIn(page, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('link', { name: 'Import…' }).click();
  const buffer = Buffer.from(`E-Mail;Source\n${person};${source}`);
  await page.getByLabel(/^CSV file/).setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Import 1 person' }).dblclick();
  await expect(page.getByText('1 person was added.')).toBeVisible();

  const subject = newSubject();
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('button', { name: 'Create campaign' }).first().dblclick();
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel(/^Text/).fill('Come in');
  await page.getByLabel('Source').selectOption(source);
  await expect(page.getByText('It goes to 1 person, within an hour.')).toBeVisible();
  await page.getByRole('button', { name: 'Send me a test' }).dblclick();
  await expect(page.getByText(`Sent to ${ADMIN_EMAIL}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Send to 1 person…' }).click();
  await page.getByRole('button', { name: 'Start sending' }).dblclick();
  await expect(draftCards(page, subject).getByText('Done')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const received = (address: string) =>
    backend.mailbox.mailsTo(address).filter((mail) => mail.source.includes(`Subject: ${subject}`));
  await expect.poll(() => received(person).length).toBe(1);
  expect(received(ADMIN_EMAIL)).toHaveLength(1);
  for (const address of [person, ADMIN_EMAIL]) {
    expect(received(address)[0]?.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  }
});
