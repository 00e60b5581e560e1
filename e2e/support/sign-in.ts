import type { MailServer } from '@early-access-kit/testkit/smtp-server';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { receiveToken } from './links.ts';

/** Requests a sign-in link on the dashboard and returns the link's token from the email. */
async function requestToken(page: Page, origin: string, mailbox: MailServer, admin: string): Promise<string> {
  const { length } = mailbox.mailsTo(admin);
  await page.goto(`${origin}/admin`);
  await page.getByLabel('Your email address').fill(admin);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await expect(page.getByText('If this address belongs to an admin, a link is on its way.')).toBeVisible();
  return receiveToken(mailbox, admin, 'signIn', length);
}

/** Opens the link as a new document, like an email program. */
export async function openLink(page: Page, origin: string, token: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${origin}/admin#token=${token}`);
}

/** Signs in with a link and returns its used token. */
export async function signInByLink(page: Page, origin: string, mailbox: MailServer, admin: string): Promise<string> {
  const token = await requestToken(page, origin, mailbox, admin);
  await openLink(page, origin, token);
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  expect(page.url()).not.toContain(token);
  return token;
}

/** The cookies of the worker's sessions, by origin. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();

/**
 * Opens the dashboard signed in. All tests of a worker share a session, because an address only gets five links an
 * hour. A test must not end it: tests that sign out use `signInByLink`.
 */
export async function signIn(page: Page, origin: string, mailbox: MailServer, admin: string): Promise<void> {
  const cookies = sessions.get(origin);
  if (cookies === undefined) {
    await signInByLink(page, origin, mailbox, admin);
    sessions.set(origin, await page.context().cookies(`${origin}/api/admin/`));
    return;
  }
  await page.context().addCookies(cookies);
  await page.goto(`${origin}/admin`);
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
}
