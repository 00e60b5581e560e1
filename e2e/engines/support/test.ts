import { randomInt, randomUUID } from 'node:crypto';
import { programOnPath } from '@early-access-kit/testkit/programs';
import { test as base, expect } from '@playwright/test';
import { type OtherSite, startOtherSite } from '../../embed/support/other-site.ts';
import { type Backend, startSelfHosted, whileOpen } from '../../support/backend.ts';
import { type Gatekeeper, startGatekeeper } from '../../support/gatekeeper.ts';
import { BROWSERS } from './browsers.ts';
import type { Engine, FirstTab, Point, Tab } from './engine.ts';
import { find } from './find.ts';
import { FINDING, VERSION } from './measured.ts';

export { expect } from '@playwright/test';

/** Makes the tracker count the session although a program drives the browser. Headless Chromium says so in its name too. */
export const UNDETECTED = `for (const [name, value] of Object.entries({
  webdriver: false,
  userAgent: navigator.userAgent.replace('Headless', ''),
})) Object.defineProperty(navigator, name, { get: () => value });`;

interface TestFixtures {
  email: string;
  /** A script that runs before every page's scripts. */
  preload: string;
  /** The server on an origin of this test, so that nothing is stored in the browser. */
  gate: Gatekeeper;
  /** Opens a tab that is closed at the end of the test, unless the test closes it. */
  newTab(): Promise<Tab>;
  /** The browser's first tab, which is left empty. */
  tab: FirstTab;
  /** Notes what was measured. */
  noteFinding(finding: string): void;
  noteVersion: undefined;
}

interface WorkerFixtures {
  engine: Engine;
  site: OtherSite;
  backend: Backend;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use, { project }) => {
      const start = BROWSERS.find(({ name }) => name === project.name)?.find(programOnPath);
      if (start === undefined) throw new Error(`${project.name} is not installed`);
      await whileOpen(start(), use);
    },
    { scope: 'worker' },
  ],

  site: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => whileOpen(startOtherSite(), use),
    { scope: 'worker' },
  ],

  backend: [
    async ({ site }, use) => whileOpen(startSelfHosted({ ALLOWED_ORIGINS: site.origin }), use),
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  email: async ({}, use) => use(`artist-${randomUUID()}@example.org`),

  preload: [UNDETECTED, { option: true }],

  gate: async ({ backend, preload }, use) => {
    // Rate limits are per address, so each test is a different client.
    const headers = { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
    await whileOpen(startGatekeeper(backend.server.origin, { preload, headers }), use);
  },

  newTab: async ({ engine }, use) => {
    const open = new Set<Tab>();
    await use(async () => {
      const tab = await engine.newTab();
      open.add(tab);
      return {
        ...tab,
        async close() {
          open.delete(tab);
          await tab.close();
        },
      };
    });
    for (const tab of open) await tab.close();
  },

  tab: async ({ engine: { firstTab } }, use) => {
    await firstTab.show();
    await use(firstTab);
    await firstTab.open('about:blank');
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above
  noteFinding: async ({}, use, { annotations }) => {
    await use((description) => void annotations.push({ type: FINDING, description }));
  },

  noteVersion: [
    async ({ engine }, use, { annotations }) => {
      annotations.push({ type: VERSION, description: engine.version });
      await use(undefined);
    },
    { auto: true },
  ],
});

/** The methods of every tab. */
type Driven = Omit<Tab, 'close'>;

/** Waits until the page shows an element with this text. A page that is being replaced shows nothing. */
export async function see(tab: Driven, selector: string, text = ''): Promise<void> {
  const found = () => find(tab, selector, text).catch(() => null);
  await expect.poll(found, `${selector} ${text} is visible`).not.toBeNull();
}

/** Waits until the page shows no such element. */
export async function expectGone(tab: Driven, selector: string, text = ''): Promise<void> {
  await expect.poll(() => find(tab, selector, text), `${selector} ${text} is gone`).toBeNull();
}

/** Clicks an element with the mouse, once the page shows it and nothing covers it. */
export async function click(tab: Driven, selector: string, text = ''): Promise<void> {
  const free: { point?: Point } = {};
  await expect
    .poll(async () => {
      const found = await find(tab, selector, text, { scroll: true }).catch(() => null);
      if (found?.free) free.point = found;
      return found;
    }, `${selector} ${text} can be clicked`)
    .toMatchObject({ free: true });
  if (free.point) await tab.clickAt(free.point);
}

/** Replaces the value of a field by typing. */
export async function fill(tab: Driven, selector: string, value: string): Promise<void> {
  await click(tab, selector);
  await tab.evaluate(() => document.activeElement instanceof HTMLInputElement && document.activeElement.select());
  await tab.type(value);
}

/** Opens the landing page and waits for hydration, which turns off the browser's own form validation. */
export async function openLandingPage(tab: Driven, gate: Gatekeeper): Promise<void> {
  await tab.open(`${gate.origin}/`);
  await see(tab, 'form.eak-form[novalidate]');
}
