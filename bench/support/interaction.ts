import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright';
import { VISITOR } from './visitor.ts';

/** How long a finger or a mouse button stays down, and a person takes from one key to the next. */
const PRESS_MS = 80;
const NEXT_KEY_MS = 80;

/** Times are milliseconds. */
export interface Interaction {
  readonly type: string;
  /** From the key or the press to the next frame on the screen. */
  readonly ms: number;
  /** Until all listeners had been called: what is left is style, layout, paint and waiting for frames. */
  readonly heardMs: number;
}

/** Chromium's entry, which TypeScript's library tells of in part. */
interface EventEntry extends PerformanceEventTiming {
  /** 0 for what is no interaction, such as the pointer that passes over something. */
  readonly interactionId: number;
}

/**
 * The slowest interaction of pressing the field, typing an address and pressing the button, on a processor so many times slower, on the page
 * of that address or one with other markup: what the metric of that name counts, from the key or the press to the next frame on the
 * screen, waiting for the page and for the frame included, in steps of 8 ms. The page has loaded and is at rest, and nothing looks into it
 * meanwhile: what drives the browser would otherwise search the page for what it waits for, in the time that is measured.
 */
export async function slowestInteraction(
  browser: Browser,
  url: string,
  { slowdown, markup }: { slowdown: number; markup?: string },
): Promise<Interaction> {
  const page = await browser.newPage(VISITOR);
  try {
    if (markup !== undefined)
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: markup }));
    await page.addInitScript(() => {
      const slowest = { type: 'none', ms: 0, heardMs: 0 };
      const isInteraction = (entry: PerformanceEntry): entry is EventEntry =>
        'interactionId' in entry && entry.interactionId !== 0;
      // 16 ms is the least that browsers report.
      const everyEvent: PerformanceObserverInit & { durationThreshold: number } = {
        type: 'event',
        durationThreshold: 16,
        buffered: true,
      };
      Object.assign(window, { slowest });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (!isInteraction(entry) || entry.duration <= slowest.ms) continue;
          const heardMs = entry.processingEnd - entry.startTime;
          Object.assign(slowest, { type: entry.name, ms: entry.duration, heardMs });
        }
      }).observe(everyEvent);
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    const form = page.locator('form.eak-form[novalidate]').first();
    const field = await centerOf(form.getByLabel('Email address'));
    const button = await centerOf(form.getByRole('button'));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await press(page, field);
    await page.keyboard.type(`visitor-${randomUUID()}@example.org`, { delay: NEXT_KEY_MS });
    const answered = page.waitForResponse('**/api/signups');
    await press(page, button);
    await answered;
    await page.getByText("You're on the list!").first().waitFor();
    // Entries come after the frame that they are about.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 100))));
    return await page.evaluate(() => {
      const page: Window & { slowest?: Interaction } = window;
      if (page.slowest === undefined) throw new Error('nothing was observed');
      return page.slowest;
    });
  } finally {
    await page.close();
  }
}

async function centerOf(part: Locator): Promise<{ x: number; y: number }> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('the form cannot be seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function press({ mouse }: Page, { x, y }: { x: number; y: number }): Promise<void> {
  await mouse.move(x, y);
  await mouse.down();
  await new Promise((resolve) => setTimeout(resolve, PRESS_MS));
  await mouse.up();
}
