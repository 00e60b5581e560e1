import { randomInt } from 'node:crypto';
import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import type { Page } from '@playwright/test';
import { inviteClient } from 'early-access-server/client';
import { type Backend, whileOpen } from './support/backend.ts';
import { invite } from './support/invite.ts';
import { LINKS, receiveToken } from './support/links.ts';
import { signIn } from './support/sign-in.ts';
import { startBackend } from './support/start-backend.ts';
import { ADMIN_EMAIL, test as base, expect, openLandingPage } from './support/test.ts';

const INVITE_KEY = '0123456789abcdef0123456789abcdef';

const test = base.extend<object, { backend: Backend }>({
  backend: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) =>
      whileOpen(startBackend({ CONFIRM: 'on', INVITE_URL: 'https://product.example/join' }, { INVITE_KEY }), use),
    { scope: 'worker' },
  ],
});

const CONFIRMED = "You're on the list!";
const anyClient = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

async function post({ server }: Backend, path: string, body: URLSearchParams | object): Promise<Response> {
  const isForm = body instanceof URLSearchParams;
  const headers = { 'X-Forwarded-For': anyClient(), ...(!isForm && { 'Content-Type': 'application/json' }) };
  return fetch(server.origin + path, { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) });
}

async function signUp(backend: Backend, email: string): Promise<void> {
  expect((await post(backend, '/api/signup-form', new URLSearchParams({ email }))).status).toBe(201);
}

/** Firestore stores an unsubscribed person separately from a new signup of the same address. */
const readState = ({ database }: Backend, email: string) =>
  database.value("SELECT state FROM email_signups WHERE email = ? ORDER BY state = 'unsubscribed'", email);
/** Returns the keys of signups that the browser stores for the confirmation page. */
async function readKeys(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  return cookies.flatMap(({ name, value }) => (name === 'early_access_signup' ? [value] : []));
}

const open = (page: Page, link: keyof typeof LINKS, token: string) => page.goto(LINKS[link] + token);

const SCANNED_LINKS = 20;

/** Signs up and confirms, and returns the unsubscribe token. */
async function join(backend: Backend, email: string): Promise<string> {
  await signUp(backend, email);
  const token = await receiveToken(backend.mailbox, email, 'confirm');
  expect(await (await post(backend, '/api/confirm', { token })).json()).toEqual({ result: 'confirmed' });
  return receiveToken(backend.mailbox, email, 'unsubscribe');
}

test.describe('confirming', () => {
  test('the browser that signed up confirms without a click', { tag: '@main' }, async ({ page, backend, email }) => {
    // Before hydration, the form would be sent without scripts, and the result would be a new page.
    await openLandingPage(page);
    await page.getByLabel('Email address').first().fill(email);
    await page.getByRole('button', { name: 'Join the beta' }).first().click();
    // Both forms share the result.
    await expect(page.getByText('Check your inbox')).toHaveCount(2);
    await expect(page.getByText(CONFIRMED)).toHaveCount(0);
    expect(await readState(backend, email)).toBe('pending');
    const token = await receiveToken(backend.mailbox, email, 'confirm');
    expect(await readKeys(page)).toEqual([expect.stringMatching(/^\d+(-\d+){3}$/)]);

    await open(page, 'confirm', token);
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeFocused();
    expect(await readState(backend, email)).toBe('subscribed');
    expect(await readKeys(page)).toEqual([]);
  });

  test('any other browser confirms with one click, and the link then says so', { tag: '@main' }, async ({
    page,
    backend,
    email,
  }) => {
    await signUp(backend, email);
    const token = await receiveToken(backend.mailbox, email, 'confirm');
    await open(page, 'confirm', token);
    await expect(page).toHaveTitle(/^Confirm your email address · /);
    const button = page.getByRole('button', { name: 'Confirm' });
    await expect(button).toBeVisible();
    expect(await readState(backend, email)).toBe('pending');
    await button.click();
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeFocused();
    await expect(page).toHaveTitle(/^You're on the list! · /);
    expect(await readState(backend, email)).toBe('subscribed');

    await page.reload();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: 'You are on the list already!' })).toBeVisible();
  });

  test('with another signup’s key, confirming still needs a click, and the key is not removed', async ({
    page,
    backend,
    email,
  }) => {
    await signUp(backend, email);
    await page.goto('/unsubscribe');
    await page.context().addCookies([
      {
        name: 'early_access_signup',
        value: 'another-submission',
        path: '/confirm',
        domain: new URL(backend.server.origin).hostname,
      },
    ]);
    const responded = page.waitForResponse('**/api/confirm');
    await open(page, 'confirm', await receiveToken(backend.mailbox, email, 'confirm'));
    expect(await (await responded).json()).toEqual({ result: 'other-browser' });
    expect(await readState(backend, email)).toBe('pending');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeVisible();
    expect(await readKeys(page)).toEqual(['another-submission']);
  });

  test('an expired link offers a new email, whose link works', async ({ page, backend, email }) => {
    await signUp(backend, email);
    const token = await receiveToken(backend.mailbox, email, 'confirm');
    await page.route('**/api/confirm', (route) => route.fulfill({ json: { result: 'expired' } }), { times: 1 });
    await open(page, 'confirm', token);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    const renewed = await receiveToken(backend.mailbox, email, 'confirm', 1);
    expect(renewed).not.toBe(token);
    await open(page, 'confirm', renewed);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeVisible();
  });

  test('a link that a mail filter has changed leads to the page, whose URL has the token in its fragment', async ({
    page,
    backend,
    email,
  }) => {
    await signUp(backend, email);
    const token = await receiveToken(backend.mailbox, email, 'confirm');
    for (const changed of ['%23token=', '%2523token=', '/#token=', '/%23token=', '?token=', '?utm_source=x#token=']) {
      await page.goto('about:blank');
      await page.goto(`/confirm${changed}${token}&utm_medium=email`);
      await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
      expect(new URL(page.url()).hash).toContain(token);
    }
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeFocused();
    // Firebase Hosting logs each path before a function can redirect it.
    const ownLog = backend.server.log.split('\n').filter((line) => !line.includes('hosting'));
    expect(ownLog.join('\n')).not.toContain(token);
  });

  test('a link that has lost its token sends a new one to the address', async ({ page, backend, email }) => {
    await signUp(backend, email);
    await receiveToken(backend.mailbox, email, 'confirm');
    await page.goto('/confirm');
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeFocused();
    await page.getByLabel('Email address').fill(email);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeFocused();
    await expect(page.getByText('If this address has a link')).toBeVisible();
    await open(page, 'confirm', await receiveToken(backend.mailbox, email, 'confirm', 1));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeFocused();
  });

  test('a click by a script confirms nothing, says so, and sends no new link', async ({ page, backend, email }) => {
    await signUp(backend, email);
    await open(page, 'confirm', await receiveToken(backend.mailbox, email, 'confirm'));
    const button = page.getByRole('button', { name: 'Confirm' });
    await button.evaluate((element: HTMLElement) => element.click());
    await expect(page.getByRole('alert')).toHaveText('Nothing has happened yet. Please press the button yourself.');
    expect(await readState(backend, email)).toBe('pending');
    await button.click();
    await expect(page.getByRole('heading', { name: CONFIRMED })).toBeFocused();

    await page.goto('about:blank');
    await page.goto('/confirm');
    await page.getByLabel('Email address').fill(email);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByRole('button', { name: 'Send a new link' }).evaluate((element: HTMLElement) => element.click());
    await expect(page.getByRole('alert')).toHaveText('Nothing has happened yet. Please press the button yourself.');
    expect(requests).toEqual([]);
  });

  test(`a scanner that opens ${SCANNED_LINKS} links, scrolls and runs scripts confirms nobody`, async ({
    browser,
    backend,
  }) => {
    const emails = Array.from(
      { length: SCANNED_LINKS },
      (_, index) => `scanned-${index}-${randomInt(1e9)}@example.org`,
    );
    for (const email of emails) await signUp(backend, email);
    const tokens: string[] = [];
    for (const email of emails) tokens.push(await receiveToken(backend.mailbox, email, 'confirm'));
    const context = await browser.newContext({ baseURL: backend.server.origin });
    const requests: string[] = [];
    context.on('request', (request) => requests.push(request.method()));
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        const page = await context.newPage();
        for (const token of tokens.filter((_, index) => index % 4 === lane)) {
          await page.goto('about:blank');
          await open(page, 'confirm', token);
          await page.mouse.wheel(0, 2_000);
          // A scanner's scripts press every button.
          await page.evaluate(() => {
            for (const button of document.querySelectorAll('button')) button.click();
            for (const form of document.forms) form.submit();
          });
        }
      }),
    );
    await context.close();
    expect(new Set(requests)).toEqual(new Set(['GET']));
    for (const email of emails) expect(await readState(backend, email)).toBe('pending');
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('unsubscribing takes one button, and the person may sign up again', async ({ page, backend, email }) => {
    const token = await join(backend, email);
    await open(page, 'unsubscribe', token);
    await expect(page.getByRole('main')).toHaveCSS('overflow-wrap', 'anywhere');
    expect(await readState(backend, email)).toBe('subscribed');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
    expect(await readState(backend, email)).toBe('unsubscribed');
    const { length } = backend.mailbox.mailsTo(email);

    await signUp(backend, email);
    expect(await readState(backend, email)).toBe('pending');
    await open(page, 'confirm', await receiveToken(backend.mailbox, email, 'confirm', length));
    await expect(page.locator('noscript p')).toBeVisible();
  });
});

test.describe('in the dashboard', () => {
  // The dashboard's first request tells it that there is no session.
  test.use({ expectedComplaints: [/401 \(Unauthorized\)/] });

  test('the admin invites people and sees the wave until it is sent', { tag: '@main' }, async ({
    page,
    backend,
    email,
  }) => {
    await join(backend, email);
    const { length } = backend.mailbox.mailsTo(email);
    await signIn(page, backend.server.origin, backend.mailbox, ADMIN_EMAIL);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill(email);
    // Waits until the search is applied, because the dialog uses it.
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row', { name: email })).toContainText('Waiting');
    await page.getByRole('button', { name: 'Invite…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    await expect(dialog.getByRole('textbox')).toHaveValue('1');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 person invited. Their emails are queued.')).toBeVisible();
    await expect(page.getByRole('row', { name: email })).toContainText('Invited');
    await receiveToken(backend.mailbox, email, 'invite', length);
    await page.getByRole('link', { name: 'Invites' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: '1 person' }).first()).toContainText('1 sent, 0 joined');
    expect(await readState(backend, email)).toBe('invited');
  });
});

test('an invitation leads to the product, and sends another one if it has lost its token', async ({
  page,
  backend,
  email,
}) => {
  await join(backend, email);
  const { length } = backend.mailbox.mailsTo(email);
  await invite(backend, 1_000);
  const token = await receiveToken(backend.mailbox, email, 'invite', length);
  await page.route('https://product.example/**', (route) => route.fulfill({ body: 'The product' }));
  await page.goto(`/invite%23invite=${token}`);
  await expect(page).toHaveURL(`https://product.example/join#invite=${token}`);

  await page.goto('/invite');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeFocused();
  const second = await receiveToken(backend.mailbox, email, 'invite', length + 1);
  const invites = inviteClient({ url: backend.server.origin, key: INVITE_KEY, timeoutMs: HANGING_MS });
  expect(await invites.redeem(second)).toMatchObject({ result: 'redeemed', email });
  expect(await invites.verify(token)).toEqual({ result: 'used' });
});
