import { randomInt, randomUUID } from 'node:crypto';
import { test as base, expect, type Page } from '@playwright/test';
import { type Backend, startSelfHosted } from './backend.ts';
import { isFirestore } from './calls.ts';
import { hearComplaints } from './complaints.ts';
import { startOnFirestore } from './firestore-backend.ts';

export { expect } from '@playwright/test';
export { ADMIN_EMAIL, SENDER } from './backend.ts';

/** The toasts of the form (SPEC section 8). */
export const SUCCEEDED = 'Thanks for signing up! Check your email for updates.';
export const DUPLICATE = 'This email is already registered!';
export const FAILED = 'Something went wrong. Please try again.';

const ON_FIRESTORE = process.env.STORAGE === 'firestore';

interface TestFixtures {
  /** An address that nobody has signed up with. */
  email: string;
  /** What a test expects the page to complain about. */
  expectedComplaints: RegExp[];
  /** Fails a test whose page complains about anything else: errors, warnings, violations of the policy. */
  complaints: string[];
}

interface WorkerFixtures {
  backend: Backend;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  backend: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => {
      const backend = await (ON_FIRESTORE ? startOnFirestore() : startSelfHosted());
      await use(backend);
      await backend.close();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ backend }, use) => use(backend.server.origin),

  // Every test is a client of its own to the server, which throttles by address. Calls to another origin may not carry it.
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use) => {
    await use(ON_FIRESTORE ? {} : { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` });
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above
  email: async ({}, use) => use(`artist-${randomUUID()}@example.org`),

  expectedComplaints: [[], { option: true }],

  complaints: [
    async ({ context, expectedComplaints }, use) => {
      // What Firestore's rules refuse is how the adapter learns of a duplicate.
      const heard = hearComplaints(
        context,
        (message) => isFirestore(message.location().url) && /40[39] /.test(message.text()),
      );
      await use(heard);
      const unexpected = heard.filter((text) => !expectedComplaints.some((pattern) => pattern.test(text)));
      expect(unexpected, 'complaints in the console').toEqual([]);
    },
    { auto: true },
  ],
});

/** The two forms of the landing page. */
export function signupForm(page: Page, which: 'hero' | 'bottom') {
  const form = page.locator('form.eak-form').nth(which === 'hero' ? 0 : 1);
  return {
    form,
    input: form.getByLabel('Email address'),
    button: form.getByRole('button'),
    /** What is shown in place of the form. */
    success: page
      .locator('.eak-signup')
      .nth(which === 'hero' ? 0 : 1)
      .getByText("You're on the list!"),
  };
}

/** The toast with a text, as screen readers get it. */
export function toast(page: Page, text: string) {
  return page.getByRole('status').getByText(text, { exact: true });
}

/** Opens the landing page and waits until React has taken it over. */
export async function openLandingPage(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await expectHydrated(page);
}

/** React turns the browser's own validation off when it takes a form over. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator('form.eak-form[novalidate]')).toHaveCount(2);
}
