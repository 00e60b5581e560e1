import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright';
import { VISITOR } from './visitor.ts';

/** The slowest interaction of typing an address and sending it, in milliseconds, on a processor so many times slower. */
export async function slowestInteraction(browser: Browser, url: string, slowdown: number): Promise<number> {
  const page = await browser.newPage(VISITOR);
  try {
    await page.addInitScript(() => {
      const slowest = { ms: 0 };
      // 16 ms is the least that browsers report.
      const everyEvent: PerformanceObserverInit & { durationThreshold: number } = {
        type: 'event',
        durationThreshold: 16,
        buffered: true,
      };
      Object.assign(window, { slowest });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) slowest.ms = Math.max(slowest.ms, duration);
      }).observe(everyEvent);
    });
    await page.goto(url);
    await page.locator('form.eak-form[novalidate]').first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const form = page.locator('form.eak-form').first();
    await form.getByLabel('Email address').click();
    await page.keyboard.type(`visitor-${randomUUID()}@example.org`, { delay: 40 });
    await form.getByRole('button').click();
    await page.getByText("You're on the list!").first().waitFor();
    // Entries come after the frame that they are about.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 100))));
    return await page.evaluate(() => {
      const page: Window & { slowest?: { ms: number } } = window;
      return page.slowest?.ms ?? Number.NaN;
    });
  } finally {
    await page.close();
  }
}
