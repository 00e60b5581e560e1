import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import { type Browser, type BrowserContext, devices, type Page } from '@playwright/test';
import type { Backend } from '../support/backend.ts';
import { parseCall } from '../support/calls.ts';
import { expect, openLandingPage, test } from '../support/test.ts';
import { setVisibility, startedVisit } from '../support/visit.ts';
import { inBrowserWithCache, WHOLE_CHROMIUM } from '../support/whole-browser.ts';

const CLOSES = rounds({ short: 1, long: 34 });
const EARLY_LEAVERS = rounds({ short: 3, long: 200 });
const EARLY_MS = 1_000;
/** How long to wait for an update that may be lost. */
const LOST_MS = 2_000;
const ROUND_MS = 30_000;
const MAX_CLICKS = 4;

test.use({ expectedComplaints: [/404/], ...(WHOLE_CHROMIUM && inBrowserWithCache) });
test.setTimeout(HANGING_MS + EARLY_LEAVERS * ROUND_MS);

/** The totals that must be stored for a session after its page was closed. */
interface Expected {
  readonly clicks: number;
  readonly pages: number;
}

/** Clicks, closes the page and returns the expected totals. */
type Close = (page: Page, clicks: number, round: number) => Promise<Expected>;

async function click(page: Page, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await page.locator('h1').click();
}

/** Kills the page's process, like the system when it is out of memory. */
async function killRenderer(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}

// The first two start after the evaluation has returned, because it may never return once its page is gone.
const NAVIGATIONS: readonly ((page: Page) => Promise<unknown>)[] = [
  (page) => page.evaluate(() => void setTimeout(() => location.assign('/elsewhere'))),
  (page) => page.evaluate(() => void setTimeout(() => location.reload())),
  (page) => page.goto('about:blank'),
  (page) => page.goto(page.url().replace('localhost', '127.0.0.1')),
];

const WAYS: readonly { way: string; goal: boolean; close: Close }[] = [
  {
    way: 'navigation',
    goal: true,
    async close(page, clicks, round) {
      await click(page, clicks);
      await NAVIGATIONS[round % NAVIGATIONS.length]?.(page);
      return { clicks, pages: 1 };
    },
  },
  {
    way: 'tab close',
    goal: true,
    async close(page, clicks) {
      await click(page, clicks);
      await page.close({ runBeforeUnload: true });
      return { clicks, pages: 1 };
    },
  },
  {
    way: 'back/forward cache',
    goal: true,
    async close(page, clicks) {
      await page.evaluate(() => Object.assign(window, { before: 'still here' }));
      await page.goto('/elsewhere');
      await page.evaluate(() => history.back());
      await expect.poll(() => page.evaluate(() => Reflect.get(window, 'before')).catch(() => null)).toBe('still here');
      await click(page, clicks);
      await page.close({ runBeforeUnload: true });
      return { clicks, pages: 2 };
    },
  },
  {
    // Phones often fire no event after this one.
    way: 'hidden on a phone',
    goal: true,
    async close(page, clicks) {
      await click(page, clicks);
      await setVisibility(page, 'hidden');
      return { clicks, pages: 1 };
    },
  },
  {
    way: 'hidden on a phone and killed at once',
    goal: false,
    async close(page, clicks) {
      await click(page, clicks);
      await setVisibility(page, 'hidden');
      await killRenderer(page);
      return { clicks, pages: 1 };
    },
  },
  {
    way: 'renderer killed while visible',
    goal: false,
    async close(page, clicks) {
      await click(page, clicks);
      await killRenderer(page);
      return { clicks, pages: 1 };
    },
  },
];

function getBrowser(context: BrowserContext): Browser {
  const browser = context.browser();
  if (!browser) throw new Error('the context has no browser');
  return browser;
}

/** Returns whether the final update arrives. */
async function arrives(id: string, { clicks, pages }: Expected, { database }: Backend, wait: number): Promise<boolean> {
  const totals = { session_end: expect.any(Number), click_count: clicks, page_count: pages };
  try {
    await expect.poll(() => database.session(id), { timeout: wait }).toMatchObject(totals);
    return true;
  } catch {
    return false;
  }
}

for (const { way, goal, close } of WAYS) {
  if (way === 'back/forward cache' && !WHOLE_CHROMIUM) continue;

  test(`${CLOSES} times ${way}`, { tag: '@self-hosted' }, async ({ context: first, baseURL, backend }) => {
    const browser = getBrowser(first);
    const chance = createChance(`page close, ${way}`);
    const phone = way.includes('phone') ? devices['Pixel 7'] : {};
    let final = 0;
    let started = 0;
    for (let round = 0; round < CLOSES; round += 1) {
      const context: BrowserContext = await browser.newContext({
        ...phone,
        ...(baseURL && { baseURL }),
        reducedMotion: 'reduce',
        extraHTTPHeaders: { 'X-Forwarded-For': `172.16.${chance.below(256)}.${chance.below(256)}` },
      });
      const page = await context.newPage();
      await openLandingPage(page);
      const id = await startedVisit(page, backend.database);
      // There is at least one click, so that the totals differ from the initial ones.
      const expected = await close(page, 1 + chance.below(MAX_CLICKS), round);
      if (await arrives(id, expected, backend, goal ? HANGING_MS : LOST_MS)) final += 1;
      if ((await backend.database.session(id)) !== undefined) started += 1;
      await context.close();
    }
    report(`page close: final updates, ${way}`, `${final} of ${CLOSES}`);
    // The session itself must never be lost.
    expect(started).toBe(CLOSES);
    if (goal) expect(final).toBe(CLOSES);
  });
}

test(`${EARLY_LEAVERS} times leaving within a second`, { tag: '@self-hosted' }, async ({
  context: first,
  baseURL,
  backend,
}) => {
  const browser = getBrowser(first);
  const chance = createChance('leaving within a second');
  let painted = 0;
  let started = 0;
  let stored = 0;
  for (let round = 0; round < EARLY_LEAVERS; round += 1) {
    const context = await browser.newContext({
      ...(baseURL && { baseURL }),
      extraHTTPHeaders: { 'X-Forwarded-For': `172.17.${chance.below(256)}.${chance.below(256)}` },
    });
    const page = await context.newPage();
    const ids: string[] = [];
    page.on('request', (request) => {
      if (parseCall(request) === 'session') ids.push(JSON.parse(request.postData() ?? '{}').id);
    });
    const opened = page.goto('/', { waitUntil: 'commit' });
    // On a busy machine the tracker may need longer than any random delay, so the first visitor leaves as soon as the
    // session is being sent.
    if (round === 0) await page.waitForRequest((request) => parseCall(request) === 'session');
    await opened;
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, chance.below(EARLY_MS)));
    painted += await page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    if (round % 2 === 0) await page.goto('/robots.txt');
    else await page.close({ runBeforeUnload: true });
    const [id] = ids;
    if (id !== undefined) {
      started += 1;
      if (await arrives(id, { clicks: 0, pages: 1 }, backend, HANGING_MS)) stored += 1;
    }
    await context.close();
  }
  report('page close: counted, leaving within a second', `${stored} of ${EARLY_LEAVERS}`);
  report('page close: of these left after the first paint', painted);
  // Visitors who leave before the tracker has loaded cannot be counted; all others are, with a final update.
  expect(stored).toBe(started);
  expect(stored).toBeGreaterThan(0);
});
