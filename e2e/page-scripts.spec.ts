import type { Page } from '@playwright/test';
import { parseCall } from './support/calls.ts';
import { countLayoutShift, layoutShift } from './support/layout-shift.ts';
import { expect, expectHydrated, openLandingPage, signupForm, test } from './support/test.ts';

const isScript = (url: string) => /\/assets\/[^/]+\.js$/.test(url);

test('scripts load after the first paint, the tracker before the widgets, and nothing moves', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (isScript(request.url())) requested.push(new URL(request.url()).pathname);
    else if (parseCall(request) === 'session') requested.push('session');
  });
  await page.addInitScript(countLayoutShift);
  await openLandingPage(page);
  expect(requested.slice(0, 3)).toEqual([
    expect.stringContaining('/assets/index'),
    'session',
    expect.stringContaining('/assets/app'),
  ]);
  const [paint, script] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/index'))?.startTime,
  ]);
  expect(Number(script)).toBeGreaterThan(Number(paint));
  expect(await layoutShift(page)).toBe(0);
});

test.describe('a page whose browser reports no paint', () => {
  /**
   * Opens the page with a stopped clock, and returns a function that returns the number of scripts requested so far.
   */
  async function openUnpainted(page: Page): Promise<() => number> {
    let scripts = 0;
    page.on('request', (request) => {
      if (isScript(request.url())) scripts += 1;
    });
    await page.addInitScript(() => {
      window.PerformanceObserver = class extends PerformanceObserver {
        override observe() {}
      };
    });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.goto('/');
    return () => scripts;
  }

  /** The scripts load while the clock is stopped. Hydration ends with a frame, so the clock has to run again. */
  async function expectScripts(page: Page, scripts: () => number): Promise<void> {
    await expect.poll(scripts).toBe(2);
    await page.clock.resume();
    await expectHydrated(page);
  }

  for (const [event, use] of [
    ['pointer', (page: Page) => page.mouse.click(1, 1)],
    ['key', (page: Page) => page.keyboard.press('ArrowDown')],
    ['focus', (page: Page) => signupForm(page, 'hero').input.focus()],
  ] as const) {
    test(`loads its scripts at the first ${event} event`, async ({ page }) => {
      const scripts = await openUnpainted(page);
      expect(scripts()).toBe(0);
      await use(page);
      await expectScripts(page, scripts);
    });
  }

  test('loads its scripts after three seconds without one', async ({ page }) => {
    const scripts = await openUnpainted(page);
    await page.clock.runFor(2_900);
    expect(scripts()).toBe(0);
    await page.clock.runFor(100);
    await expectScripts(page, scripts);
  });

  test('loads its scripts immediately if it is hidden', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    await expectScripts(page, await openUnpainted(page));
  });
});
