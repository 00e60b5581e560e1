import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright';
import { findSlowestInteraction, type Interaction, parseTrace } from './trace.ts';
import { VISITOR } from './visitor.ts';

/** How long a finger or mouse button is down, and the time between two keystrokes. */
const PRESS_MS = 80;
const NEXT_KEY_MS = 80;

interface Options {
  readonly slowdown: number;
  readonly markup?: string;
}

/**
 * Measures the slowest interaction of pressing the field, typing an address and pressing the button, with a processor
 * `slowdown` times slower, on the page at this URL or one with other markup. Like the metric INP, it counts from the
 * key or press to the next frame on the screen, including waiting for the page and the frame. The page is loaded and
 * idle, and the test does not query it during the measurement, because that would take the page's time.
 */
export async function slowestInteraction(browser: Browser, url: string, options: Options): Promise<Interaction> {
  const page = await browser.newPage(VISITOR);
  try {
    await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
    await fillForm(page, url, options);
    // Events are traced after their frame.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 100))));
    return findSlowestInteraction(parseTrace(await browser.stopTracing()));
  } finally {
    await page.close();
  }
}

async function fillForm(page: Page, url: string, { slowdown, markup }: Options): Promise<void> {
  if (markup !== undefined) await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: markup }));
  await page.goto(url, { waitUntil: 'networkidle' });
  const form = page.locator('form.eak-form[novalidate]').first();
  const field = await findCenter(form.getByLabel('Email address'));
  const button = await findCenter(form.getByRole('button'));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await press(page, field);
  await page.keyboard.type(`visitor-${randomUUID()}@example.org`, { delay: NEXT_KEY_MS });
  const answered = page.waitForResponse('**/api/signups');
  await press(page, button);
  await answered;
  await page.getByText("You're on the list!").first().waitFor();
}

async function findCenter(part: Locator): Promise<{ x: number; y: number }> {
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
