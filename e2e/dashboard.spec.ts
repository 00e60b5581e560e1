import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { LINKS, receiveToken } from './support/links.ts';
import { openLink, signIn, signInByLink } from './support/sign-in.ts';
import { ADMIN_EMAIL, expect, openLandingPage, signupForm, test } from './support/test.ts';

// The dashboard's first request tells it that there is no session.
test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

async function signUp(page: Page, email: string): Promise<void> {
  await openLandingPage(page);
  const { input, button, success } = signupForm(page, 'hero');
  await input.fill(email);
  await button.click();
  await expect(success).toBeVisible();
}

test('the admin signs in by a link, finds a person, downloads the list, erases the person and signs out', {
  tag: '@main',
}, async ({ page, browser, backend, email, contextOptions }) => {
  await signUp(page, email);
  await backend.mailbox.waitForMail(email);
  const admin = await (await browser.newContext(contextOptions)).newPage();
  const token = await signInByLink(admin, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
  const urls: string[] = [];
  admin.on('request', (request) => urls.push(request.url()));

  await admin.goto(`${backend.server.origin}/admin/people`);
  await admin.getByRole('searchbox', { name: 'Search' }).fill(email.slice(0, 20));
  const person = admin.getByRole('button', { name: email });
  await expect(person).toBeVisible();

  const download = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Download CSV' }).click();
  await admin.getByRole('dialog', { name: 'Download 1 person?' }).getByRole('button', { name: 'Download' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toContain(email);
  expect([...urls, admin.url()].filter((url) => url.includes(email.slice(0, 10)))).toEqual([]);

  await person.click();
  const record = admin.getByRole('dialog', { name: email });
  await expect(record.getByText('landing_page')).toBeVisible();
  await record.getByRole('button', { name: 'More actions' }).click();
  await admin.getByRole('button', { name: 'Erase this person…' }).click();
  await admin.getByLabel(/to confirm/).fill(email);
  await admin.getByRole('button', { name: 'Erase permanently' }).click();
  await expect(person).toBeHidden();
  await expect(admin.getByText('No matches')).toBeVisible();
  expect(await backend.database.signup(email)).toBeUndefined();

  await admin.getByRole('button', { name: 'Sign out' }).click();
  await expect(admin.getByRole('heading', { name: 'Sign in to the dashboard' })).toBeVisible();
  await openLink(admin, backend.server.origin, token);
  await expect(admin.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await admin.context().close();
});

test('the admin makes a key, with which a program reads the analytics and no person, and revokes it', {
  tag: '@main',
}, async ({ page, browser, backend, email, contextOptions }) => {
  await signUp(page, email);
  const admin = await (await browser.newContext(contextOptions)).newPage();
  const { origin } = backend.server;
  await signIn(admin, origin, backend.mailbox, ADMIN_EMAIL);
  await admin.goto(`${origin}/admin?page=settings`);
  await admin.getByRole('button', { name: 'Create key' }).click();
  const name = `Reports ${email.slice(0, 30)}`.replace('@', ' ');
  await expect(admin.getByLabel('Name')).toBeFocused();
  await admin.keyboard.type(name);
  await admin.keyboard.press('Enter');
  const key = await admin.getByRole('textbox', { name: 'Key' }).inputValue();
  const call = (path: string) => fetch(`${origin}/api/admin/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const figures = await call('dashboard?range=7d');
  expect(figures.status).toBe(200);
  expect((await figures.json()).figures.signups).toBeGreaterThan(0);
  const people = await call('people');
  expect([people.status, await people.text()]).toEqual([403, expect.not.stringContaining(email)]);

  await admin.getByRole('button', { name: 'Done' }).click();
  await admin.getByRole('button', { name: `Revoke ${name}…` }).click();
  await admin.getByRole('button', { name: 'Revoke key' }).click();
  await expect(admin.getByText('Key revoked.')).toBeVisible();
  expect((await call('list')).status).toBe(401);
  await admin.getByRole('link', { name: 'Health' }).click();
  await expect(admin.getByText(`API key ${name}: GET /api/admin/dashboard`)).toBeVisible();
  await expect(admin.getByText(`API key ${name} was refused: GET /api/admin/people`)).toBeVisible();
  await admin.context().close();
});

test('the admin corrects an address, prints the record on one page and unsubscribes the person', {
  tag: '@main',
}, async ({ page, browser, backend, email, contextOptions }) => {
  await signUp(page, email);
  await backend.mailbox.waitForMail(email);
  const admin = await (await browser.newContext({ ...contextOptions, colorScheme: 'dark' })).newPage();
  await signIn(admin, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
  await admin.getByRole('link', { name: 'People' }).click();
  await admin.getByRole('searchbox', { name: 'Search' }).fill(email.slice(0, 20));
  await admin.getByRole('button', { name: email }).click();

  const corrected = `new-${email}`;
  await admin.getByRole('button', { name: 'Correct address…' }).click();
  await admin.getByRole('textbox', { name: 'New address' }).fill(corrected);
  await admin.getByRole('button', { name: 'Send email' }).click();
  await expect(admin.getByText(`${corrected}, not confirmed yet`)).toBeVisible();
  const token = await receiveToken(backend.mailbox, corrected, 'confirm');
  const owner = await (await browser.newContext(contextOptions)).newPage();
  await owner.goto(LINKS.confirm + token);
  await owner.getByRole('button', { name: 'Confirm' }).click();
  await expect(owner.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
  await owner.context().close();

  await admin.reload();
  const record = admin.getByRole('dialog', { name: corrected });
  await expect(record.getByText(/^Address corrected with the link/)).toBeVisible();
  expect(await backend.database.signup(email)).toBeUndefined();

  // Only the record is printed, in dark ink on white paper.
  await admin.emulateMedia({ media: 'print' });
  await expect(record.getByText(/^Address corrected/)).toHaveCSS('color', /^rgb\(([0-5]?\d, ){2}[0-5]?\d\)$/);
  await expect(record).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  for (const name of ['Correct address…', 'Close', 'More actions'])
    await expect(admin.getByRole('button', { name })).toBeHidden();
  await expect(admin.getByRole('heading', { name: 'People', includeHidden: true })).toBeHidden();
  const pdf = (await admin.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await admin.emulateMedia({ media: null });

  await record.getByRole('button', { name: 'More actions' }).click();
  await admin.getByRole('button', { name: 'Unsubscribe…' }).click();
  await admin.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(record.getByText('Unsubscribed by an admin')).toBeVisible();
  await admin.context().close();
});

test('without the scripts that load later, the page says so, keeps everything else and shows each result', async ({
  page: visitor,
  browser,
  backend,
  email,
  contextOptions,
}) => {
  // Without sessions there is no chart.
  await signUp(visitor, email);
  const page = await (await browser.newContext(contextOptions)).newPage();
  await signIn(page, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
  const failing = /plot-canvas|toast-region|\/sign-out$/;
  await page.route(failing, (route) => route.abort());
  await page.reload();
  const chart = page.getByRole('region', { name: /signups per day/ });
  await expect(chart.getByRole('alert')).toContainText('The chart could not be shown');
  await chart.getByRole('button', { name: 'Show table' }).click();
  await expect(chart.getByRole('table')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The server cannot be reached.' })).toBeVisible();
  await chart.getByRole('button', { name: 'Show chart' }).click();
  await page.unroute(failing);
  await chart.getByRole('button', { name: 'Reload' }).click();
  await expect(chart.locator('canvas').first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.context().close();
});

test('the admin invites a viewer, who only sees figures, and shares the overview by a link', {
  tag: '@main',
}, async ({ page, browser, backend, email, contextOptions }) => {
  await signUp(page, email);
  const { mailbox, server } = backend;
  const admin = await (await browser.newContext(contextOptions)).newPage();
  await signIn(admin, server.origin, mailbox, ADMIN_EMAIL);
  await admin.goto(`${server.origin}/admin?page=settings`);
  await admin.getByRole('button', { name: 'Invite someone' }).click();
  const viewer = `viewer-${email}`.slice(-60).replace(/^\W+/, '');
  await admin.getByLabel('Email address').fill(viewer);
  await admin.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(admin.getByRole('combobox', { name: `Role of ${viewer}` })).toHaveValue('viewer');

  const other = await (await browser.newContext(contextOptions)).newPage();
  await openLink(other, server.origin, await receiveToken(mailbox, viewer, 'signIn', 0));
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(other.getByRole('link', { name: 'People' })).toHaveCount(0);
  const people = await other.evaluate(async () => (await fetch('/api/admin/people')).status);
  expect(people).toBe(403);

  await admin.getByRole('button', { name: 'Create link' }).click();
  await admin.getByLabel('Name').fill('Investors');
  await admin.keyboard.press('Enter');
  const link = await admin.getByRole('textbox', { name: 'Link' }).inputValue();
  await admin.getByRole('button', { name: 'Done' }).click();
  const reader = await (await browser.newContext(contextOptions)).newPage();
  await reader.goto(link);
  await expect(reader.getByText('New signups').first()).toBeVisible();
  await reader.reload();
  await expect(reader.getByText('New signups').first()).toBeVisible();

  await admin.getByRole('button', { name: 'Revoke Investors…' }).click();
  await admin.getByRole('button', { name: 'Revoke link' }).click();
  await expect(admin.getByText('Link revoked.')).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await admin.getByRole('button', { name: `Remove ${viewer}…` }).click();
  await admin.getByRole('button', { name: 'Remove from the team' }).click();
  await expect(admin.getByText(`${viewer} removed.`)).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Sign in to the dashboard' })).toBeVisible();
  for (const one of [admin, other, reader]) await one.context().close();
});
