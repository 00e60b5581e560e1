import { randomInt, randomUUID } from 'node:crypto';
import { test as base } from '@playwright/test';
import { type OtherSite, startOtherSite } from '../embed/support/other-site.ts';
import { type Backend, startSelfHosted, whileOpen } from '../support/backend.ts';
import { type Gatekeeper, startGatekeeper } from '../support/gatekeeper.ts';

export { expect } from '@playwright/test';

/** Hides the automation, so that the tracker counts the session. Headless Chromium also reveals it by its name. */
const UNDETECTED = `for (const [name, value] of Object.entries({
  webdriver: false,
  userAgent: navigator.userAgent.replace('Headless', ''),
})) Object.defineProperty(navigator, name, { get: () => value });`;

interface TestFixtures {
  email: string;
  /** The server at an origin of its own for this test. */
  gate: Gatekeeper;
}

interface WorkerFixtures {
  site: OtherSite;
  backend: Backend;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => whileOpen(startOtherSite(), use),
    { scope: 'worker' },
  ],

  backend: [
    async ({ site }, use) => whileOpen(startSelfHosted({ ALLOWED_ORIGINS: site.origin }), use),
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  email: async ({}, use) => use(`artist-${randomUUID()}@example.org`),

  gate: async ({ backend }, use) => {
    // Rate limits are per address, so each test is a different client.
    const headers = { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
    await whileOpen(startGatekeeper(backend.server.origin, { preload: UNDETECTED, headers }), use);
  },

  baseURL: async ({ gate }, use) => use(gate.origin),
});
