import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Running } from '@early-access-kit/testkit/child-process';
import { test as base, expect, type Page } from '@playwright/test';
import type { Backend } from '../../support/backend.ts';
import { hearComplaints } from '../../support/complaints.ts';
import { type Installation, installExample } from './install.ts';

export { expect, type Page } from '@playwright/test';

interface TestFixtures {
  /** A unique address that is not signed up yet. */
  email: string;
  /** Fails the test on any error, warning, hydration error or policy violation in the console. */
  complaints: string[];
}

interface WorkerFixtures {
  /** Collects teardown functions of a test file, which run in reverse order. */
  atTheEnd: (undo: () => Promise<unknown>) => void;
  /** Installs the packed packages into a consumer and returns its folder. */
  install: (installation: Installation) => Promise<string>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  atTheEnd: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => {
      const undos: (() => Promise<unknown>)[] = [];
      await use((undo) => undos.unshift(undo));
      for (const undo of undos) await undo();
    },
    { scope: 'worker' },
  ],

  install: [
    async ({ atTheEnd }, use) => {
      await use(async (installation) => {
        const { KIT_TARBALL = '', SERVER_TARBALL = '' } = process.env;
        const folder = await installExample(installation, {
          'early-access-kit': `file:${KIT_TARBALL}`,
          'early-access-server': `file:${SERVER_TARBALL}`,
        });
        atTheEnd(() => rm(folder, { recursive: true, force: true }));
        return folder;
      });
    },
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  email: async ({}, use) => use(`artist-${randomUUID()}@example.org`),

  complaints: [
    async ({ context }, use) => {
      // The dashboard checks whether the admin is signed in, and the browser reports the 401.
      const heard = hearComplaints(context, (message) => message.location().url.endsWith('/api/admin/session'));
      await use(heard);
      expect(heard, 'complaints in the console').toEqual([]);
    },
    { auto: true },
  ],
});

/** Signs up with the page's form and expects the signup and its session in the database. */
export async function signUp(
  page: Page,
  url: string,
  { email, backend }: { email: string; backend: Pick<Backend, 'database'> },
): Promise<void> {
  await page.goto(url);
  // Hydration turns off the browser's own form validation.
  const form = page.locator('form[novalidate]');
  await form.getByLabel('Email address').fill(` ${email.toUpperCase()}`);
  await form.getByRole('button').click();
  await expect(page.getByText("You're on the list!")).toBeVisible();
  await expect(form).toBeHidden();
  const stored = await backend.database.signup(email);
  expect(stored).toMatchObject({ email, source: 'landing_page', session_id: expect.any(String) });
  await expect.poll(() => backend.database.session(String(stored?.session_id))).toMatchObject({ browser: 'Chrome' });
}

/** Expects that the package's stylesheet applies. */
export async function expectStyled(page: Page): Promise<void> {
  const button = page.locator('form[novalidate]').getByRole('button');
  await expect(button).toBeVisible();
  expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe('rgb(239, 239, 239)');
}

/** Requests a sign-in link as the admin of a local run, and opens the link that the program prints. */
export async function openDashboardByPrintedLink(
  page: Page,
  dashboard: string,
  { printedMatch }: Pick<Running, 'printedMatch'>,
): Promise<void> {
  await page.goto(dashboard);
  await page.getByLabel('Your email address').fill('admin@example.com');
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  const link = await printedMatch('stdout', /Sign-in +(http:\S+)$/m);
  // A link that only differs in the fragment would not reload the page.
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
}
