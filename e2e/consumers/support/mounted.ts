import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import type { HealthResponse } from 'early-access-server/admin-api';
import { ADMIN_EMAIL, type Backend, MAIL_FROM } from '../../support/backend.ts';
import { openDatabase } from '../../support/database.ts';
import { receiveToken } from '../../support/links.ts';
import { signIn } from '../../support/sign-in.ts';
import { freeOrigin, startProgram } from './program.ts';
import { expect, type Page, signUp } from './test.ts';

/** A host's program that contains the application, and its backend. */
export interface Mounted extends Pick<Backend, 'database' | 'mailbox' | 'close'> {
  readonly origin: string;
}

/** The secret of the host's cron job. */
export const CRON_SECRET = 'a secret of the cron job in this test';

/** Starts a host's program, which reads its settings from the environment, like the examples. */
export async function startMounted(
  folder: string,
  args: (port: string) => readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Mounted> {
  const { origin, port } = await freeOrigin();
  const data = await mkdtemp(join(tmpdir(), 'early-access-mounted-'));
  const mailbox = await startMailServer();
  const program = await startProgram(folder, args(port), {
    origin,
    env: {
      PORT: port,
      HOST: 'localhost',
      DATA_DIR: data,
      ADMIN_EMAIL,
      SMTP_URL: mailbox.url,
      MAIL_FROM,
      PUBLIC_URL: origin,
      CRON_SECRET,
      ...env,
    },
  });
  // Some hosts load the application at the first request for it.
  expect((await fetch(`${origin}/api/brand`)).status).toBe(200);
  const database = openDatabase(join(data, 'early-access.sqlite'));
  return {
    origin,
    mailbox,
    database,
    async close() {
      await database.close();
      await program.stop();
      await mailbox.close();
      await rm(data, { recursive: true });
    },
  };
}

/** Signs up on the host's page, gets the welcome email, signs in by the link, and sees the signup in the dashboard. */
export async function signUpAndOpenDashboard(page: Page, mounted: Mounted, email: string): Promise<void> {
  const { origin, mailbox } = mounted;
  await signUp(page, origin, { email, backend: mounted });
  await mailbox.waitForMail(email);
  await signIn(page, origin, mailbox, ADMIN_EMAIL);
  await page.goto(`${origin}/admin?page=people`);
  await expect(page.getByText(email)).toBeVisible();
}

/** Returns the mounting problems on the dashboard's health page. The page must be signed in. */
export async function mountIssues(page: Page, { origin }: Mounted): Promise<readonly string[]> {
  const response = await page.request.get(`${origin}/api/admin/health`);
  const { issues }: Pick<HealthResponse, 'issues'> = await response.json();
  return issues
    .map(({ message }) => message)
    .filter((message) => /Signups arrive|rate limits|nothing sends/.test(message));
}

/** Opens the pages that emails link to, and unsubscribes like a mail provider, which sends no origin. */
export async function expectLinksToWork({ origin, mailbox, database }: Mounted, email: string): Promise<void> {
  expect((await fetch(`${origin}/confirm`)).status).toBe(200);
  const url = `${origin}/unsubscribe?token=${await receiveToken(mailbox, email, 'unsubscribe')}`;
  expect((await fetch(url)).status).toBe(200);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  expect(await database.signup(email)).toMatchObject({ state: 'unsubscribed' });
}

/** Signs up with the form like a browser without scripts. */
export async function expectFormToWork({ origin, database }: Mounted, email: string): Promise<void> {
  const response = await fetch(`${origin}/api/signup-form`, {
    method: 'POST',
    headers: { Origin: origin },
    body: new URLSearchParams({ email }),
  });
  expect(response.status).toBe(201);
  expect(await database.signup(email)).toMatchObject({ email });
}

/** Checks a host whose own origin check the example replaces. */
export async function expectOwnPagesToRefuseForeignForms({ origin }: Mounted): Promise<void> {
  for (const headers of [{}, { Origin: 'https://foreign.example' }]) {
    const response = await fetch(`${origin}/contact`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ a: 'b' }),
    });
    expect(response.status).toBe(403);
  }
}
