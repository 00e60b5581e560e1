import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { startSelfHosted, whileOpen } from './support/backend.ts';
import { signIn } from './support/sign-in.ts';
import { ADMIN_EMAIL, expect, test } from './support/test.ts';

test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

const RELAY_DENIED = '554 5.7.1 Relay access denied';

/** Adds people, each of whom gets the welcome email. */
async function importPeople({ request }: Page, origin: string, emails: readonly string[]): Promise<void> {
  const response = await request.post(`${origin}/api/admin/import?dry-run=0&welcome=1`, {
    headers: { 'content-type': 'text/csv', origin },
    data: ['email', ...emails].join('\n'),
  });
  expect(await response.text()).toContain(`"added":${emails.length}`);
}

// Own servers, because a pause of the queue would hold up the emails of other tests.
test('the admin sees what the mail server said, why the queue is paused, and how it recovers', async ({
  browser,
  contextOptions,
}) => {
  const folder = test.info().outputPath('data');
  await whileOpen(startSelfHosted({ DATA_DIR: folder }), async ({ server: { origin }, mailbox }) => {
    const admin = await (await browser.newContext(contextOptions)).newPage();
    await signIn(admin, origin, mailbox, ADMIN_EMAIL);
    const openPage = async (name: string) => {
      await admin.getByRole('link', { name, exact: true }).click();
      await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible();
      await admin.reload();
    };
    const row = (email: string) => admin.getByRole('row').filter({ hasText: email });

    await test.step('Replies about recipients and contents', async () => {
      mailbox.refuse([
        { to: 'gone.lee@example.org', at: 'RCPT', reply: '550 5.1.1 User unknown' },
        { to: 'full.lee@example.org', at: 'RCPT', reply: '552 5.2.2 Mailbox full' },
        { to: 'grey.lee@example.org', at: 'RCPT', reply: '451 4.7.1 Greylisted, try again later' },
        { to: 'big.lee@example.org', at: 'DATA', reply: '552 5.3.4 Message size exceeds fixed limit' },
        { to: 'spam.lee@example.org', at: 'DATA', reply: '550 5.7.1 This message is likely unsolicited mail' },
      ]);
      const people = ['gone', 'full', 'grey', 'big', 'spam', 'fine'].map((name) => `${name}.lee@example.org`);
      await importPeople(admin, origin, people);
      await mailbox.waitForMail('fine.lee@example.org');
      await openPage('Mail');
      for (const [name, state, words] of [
        ['gone', 'Failed', '550 5.1.1 User unknown'],
        ['full', 'Queued', '552 5.2.2 Mailbox full'],
        ['grey', 'Queued', '451 4.7.1 Greylisted, try again later'],
        ['big', 'Failed', '552 5.3.4 Message size exceeds fixed limit'],
        ['spam', 'Queued', '550 5.7.1 This message is likely unsolicited mail'],
      ] as const) {
        await expect(row(`${name}.lee@example.org`)).toContainText([words]);
        await expect(row(`${name}.lee@example.org`)).toContainText([`Welcome${state}`]);
      }
      await expect(admin.getByText('The mail queue is paused')).toBeHidden();
    });

    await test.step('A reply about us pauses the queue', async () => {
      mailbox.refuse([{ at: 'RCPT', reply: RELAY_DENIED }]);
      await importPeople(admin, origin, ['ada.lee@example.org', 'bob.lee@example.net']);
      await expect(async () => {
        await admin.reload();
        await expect(admin.getByText('The mail queue is paused')).toBeVisible({ timeout: 10_000 });
      }).toPass();
      const notice = admin.locator('main');
      await expect(notice.getByText(`${RELAY_DENIED} (RCPT TO)`).first()).toBeVisible();
      await expect(notice.getByText(/Check the user name and the password in SMTP_URL/)).toBeVisible();
      await expect(row('ada.lee@example.org')).toContainText(['Queued']);
      await admin.getByLabel('Kind').selectOption('Campaign');
      await expect(admin.getByText('No email of this kind is waiting or has failed')).toBeVisible();
      await openPage('Health');
      await expect(admin.getByText(`It said: “${RELAY_DENIED} (RCPT TO)”`)).toBeVisible();
    });

    await test.step('It recovers once the server accepts an email, and nothing is lost', async () => {
      mailbox.refuse([]);
      await importPeople(admin, origin, ['eve.lee@example.org']);
      await openPage('Mail');
      // Two emails were deferred for half a minute.
      const database = new DatabaseSync(join(folder, 'early-access.sqlite'), { timeout: 5_000 });
      database.exec("UPDATE mails SET next_attempt_at = 0 WHERE state = 'queued'");
      database.close();
      await admin.getByRole('button', { name: 'Try now' }).click();
      await mailbox.waitForMail('eve.lee@example.org');
      await expect(async () => {
        await admin.reload();
        await expect(admin.getByRole('heading', { name: 'Queue' })).toBeVisible();
        await expect(admin.getByText('The mail queue is paused')).toBeHidden();
      }).toPass();
      for (const email of [
        'ada.lee@example.org',
        'bob.lee@example.net',
        'full.lee@example.org',
        'grey.lee@example.org',
      ]) {
        await mailbox.waitForMail(email);
        expect(mailbox.mailsTo(email)).toHaveLength(1);
      }
    });

    await test.step('Only the person without a mailbox bounced, and can be restored', async () => {
      await openPage('People');
      await admin.getByRole('combobox', { name: 'State', exact: true }).selectOption('Bounced');
      await expect(admin.getByRole('button', { name: 'gone.lee@example.org' })).toBeVisible();
      await admin.getByRole('button', { name: 'Restore all 1…' }).click();
      await admin.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect(admin.getByText('1 person was restored.')).toBeVisible();
      await admin.getByRole('combobox', { name: 'State', exact: true }).selectOption('Any state');
      expect(mailbox.mailsTo('gone.lee@example.org')).toEqual([]);
      await admin.getByRole('checkbox', { name: 'Select gone.lee@example.org' }).check();
      await admin.getByRole('button', { name: 'Send email again…' }).click();
      await admin
        .getByRole('dialog', { name: 'Send 1 welcome email again?' })
        .getByRole('button', { name: 'Send 1 email' })
        .click();
      await mailbox.waitForMail('gone.lee@example.org');
    });
    await admin.context().close();
  });
});
