import { randomInt, randomUUID } from 'node:crypto';
import { LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { test as base, expect, type Page } from '@playwright/test';
import { type Backend, STORAGE, whileOpen } from './backend.ts';
import { isFirestore } from './calls.ts';
import { hearComplaints } from './complaints.ts';
import { startBackend } from './start-backend.ts';

export { expect } from '@playwright/test';
export { ADMIN_EMAIL, SENDER } from './backend.ts';

/** The toasts of the form (SPEC section 8). */
export const SUCCEEDED = 'Thanks for signing up! Check your email for updates.';
export const DUPLICATE = 'This email is already registered!';
export const FAILED = 'Something went wrong. Please try again.';

const ON_FIRESTORE = STORAGE === 'firestore';

interface TestFixtures {
  /** A unique address that is not signed up yet. */
  email: string;
  /** Console messages that a test expects. */
  expectedComplaints: RegExp[];
  /** Fails the test on any other error, warning or policy violation in the console. */
  complaints: string[];
}

interface WorkerFixtures {
  /** Added to the settings that every test needs. */
  settings: Readonly<Record<string, string>>;
  backend: Backend;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],

  backend: [
    async ({ settings }, use) => whileOpen(startBackend(settings), use),
    // Firebase's emulators are Java programs.
    { scope: 'worker', timeout: ON_FIRESTORE ? 5 * LIMIT_MS : LIMIT_MS },
  ],

  baseURL: async ({ backend }, use) => {
    await backend.forgetCallers?.();
    await use(backend.server.origin);
  },

  proxy: async ({ backend: { proxy } }, use) =>
    use(proxy === undefined ? undefined : { server: proxy, bypass: 'localhost,127.0.0.1' }),

  // Rate limits are per address, so each test is a different client. Calls to other origins must not carry the header.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
  extraHTTPHeaders: async ({}, use) => {
    await use(ON_FIRESTORE ? {} : { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` });
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above
  email: async ({}, use) => use(`artist-${randomUUID()}@example.org`),

  expectedComplaints: [[], { option: true }],

  complaints: [
    async ({ context, expectedComplaints }, use) => {
      // Firestore's rules deny duplicates, and the adapter relies on that error.
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
    /** The message that replaces the form. */
    success: page
      .locator('.eak-signup')
      .nth(which === 'hero' ? 0 : 1)
      .getByText("You're on the list!"),
  };
}

/** The toast with this text, found by its role. */
export function toast(page: Page, text: string) {
  return page.getByRole('status').getByText(text, { exact: true });
}

/** Opens the landing page and waits for hydration. */
export async function openLandingPage(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await expectHydrated(page);
}

/** Hydration turns off the browser's own form validation. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator('form.eak-form[novalidate]')).toHaveCount(2);
}

/**
 * Waits until a signup's email is sent. On Firestore, its function locks the signup until then, which may fail another
 * attempt.
 */
export async function expectMailSent({ database }: Pick<Backend, 'database'>, email: string): Promise<void> {
  await expect.poll(() => database.mailState(email)).toBe('sent');
}
