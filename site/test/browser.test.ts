import type { HttpServer } from '@early-access-kit/testkit/http-server';
import { findChromiums } from '@early-access-kit/testkit/programs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveBuiltSite } from './static-server.ts';

let browser: Browser;
let server: HttpServer;

beforeAll(async () => {
  const { executablePath, env } = (await findChromiums()).shell;
  const args = ['--no-sandbox'];
  [browser, server] = await Promise.all([
    chromium.launch({ executablePath, env: { ...process.env, ...env }, args }),
    serveBuiltSite(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Reads the landing page in a browser without scripts, and again once it has hydrated. */
async function readBeforeAndAfterScripts(read: (page: Page) => Promise<string>): Promise<string[]> {
  const results: string[] = [];
  for (const javaScriptEnabled of [false, true]) {
    await visit('/', { javaScriptEnabled }, async (page) => {
      if (javaScriptEnabled) await hydrated(page);
      results.push(await read(page));
    });
  }
  return results;
}

/** Opens a page, passes it to `use` with its console messages, and closes it. */
async function visit(path: string, options: BrowserContextOptions, use: (page: Page, log: string[]) => Promise<void>) {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const log: string[] = [];
    page.on('console', (message) => log.push(message.text()));
    page.on('pageerror', (error) => log.push(String(error)));
    await page.goto(server.origin + path);
    await use(page, log);
  } finally {
    await context.close();
  }
}

/** Hydration is done when the forms have `novalidate`, which only scripts add. */
const hydrated = (page: Page) => page.locator('form[novalidate]').nth(1).waitFor({ state: 'attached' });

function sumLayoutShifts(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value);
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

describe('the landing page', () => {
  it.each([390, 768, 1440])('moves nothing when its fonts come after the first paint, at %i px', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.route('**/*.woff2', async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      await route.continue();
    });
    await page.goto(server.origin);
    await page.evaluate(() =>
      Promise.all(['800 1rem "Archivo Condensed"', '1rem "Source Serif"'].map((font) => document.fonts.load(font))),
    );
    const shift = await sumLayoutShifts(page);
    await page.close();
    expect(shift).toBe(0);
  });

  it('has the same layout before and after scripts run', async () => {
    const [before, after] = await readBeforeAndAfterScripts(async (page) => {
      const places = await page.locator('h1, h2, h3, form, figure, footer').all();
      return JSON.stringify(await Promise.all(places.map((place) => place.boundingBox())));
    });
    expect(before).toMatch(/"width":[1-9]/);
    expect(after).toBe(before);
  });

  it('has the same markup before and after scripts run', async () => {
    const [before, after] = await readBeforeAndAfterScripts(async (page) => {
      const html = await page.locator('#root').innerHTML();
      return html.replaceAll(/ novalidate=""|<!-- -->/g, '');
    });
    expect(before).toContain('day-sheet__free');
    expect(after).toBe(before);
  });

  it('does not wrap ranges, and fits small phones, with text at one and a half times the size', async () => {
    const { executablePath, env } = (await findChromiums()).shell;
    const args = ['--no-sandbox', '--blink-settings=defaultFontSize=24'];
    const large = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args });
    try {
      for (const width of [320, 360, 390, 768]) {
        const page = await large.newPage({ viewport: { width, height: 800 } });
        await page.goto(server.origin);
        const { overflow, lines } = await page.evaluate(() => ({
          overflow: document.documentElement.scrollWidth - innerWidth,
          lines: [...document.querySelectorAll('.range-text')].map((range) => range.getClientRects().length),
        }));
        expect([width, overflow, ...new Set(lines)]).toEqual([width, 0, 1]);
        await page.close();
      }
    } finally {
      await large.close();
    }
  });

  it('is readable in forced colors: no line’s background covers another line or the picture', async () => {
    await visit('/', { forcedColors: 'active' }, async (page) => {
      const texts = page.locator('h1, h2, .print-note, .sample-card__figure, .how-it-works__number');
      const adjusted = await texts.evaluateAll((all) => all.map((text) => getComputedStyle(text).forcedColorAdjust));
      expect(adjusted.length).toBeGreaterThan(10);
      expect(new Set(adjusted)).toEqual(new Set(['none']));
    });
  });

  it('fills the sheets of both days while they scroll into view', async () => {
    await visit('/', { viewport: { width: 1440, height: 900 } }, async (page) => {
      const sheet = page.locator('.day-sheet').first();
      const readHidden = async (visiblePart: number) => {
        const clip = await sheet.evaluate(async (svg, part) => {
          const { top, height } = svg.getBoundingClientRect();
          scrollBy({ top: top + part * height - innerHeight, behavior: 'instant' });
          // A frame updates the animation's timeline.
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
          return getComputedStyle(svg).clipPath;
        }, visiblePart);
        return Number(/inset\(0px 0px (.+)%\)/.exec(clip)?.[1] ?? 0);
      };
      const hidden = [await readHidden(0.3), await readHidden(0.6), await readHidden(0.9)];
      expect(hidden).toEqual(hidden.toSorted((a, b) => b - a));
      expect(new Set(hidden).size).toBe(3);
      expect(hidden[1]).toBeGreaterThan(0);
    });
  });

  it('stops asking to join once a visitor has signed up', async () => {
    await visit('/', {}, async (page) => {
      await hydrated(page);
      await page.getByLabel('Email address').nth(1).fill('ada@example.com');
      await page.getByRole('button', { name: 'Join the beta' }).nth(1).click();
      await expect.poll(() => page.getByText("You're on the list!").count()).toBe(2);
      expect(
        await page
          .getByText(/\bjoin\b|\bget in\b/i)
          .filter({ visible: true })
          .allTextContents(),
      ).toEqual([]);
    });
  });
});

describe('the moment after a signup', () => {
  it.each([
    ['no-preference', ['draw', 'register']],
    ['reduce', []],
  ] as const)('draws its mark once; with the preference %s, its animations are %j', async (reducedMotion, names) => {
    await visit('/', { reducedMotion }, async (page) => {
      await hydrated(page);
      await page.getByLabel('Email address').first().fill('ada@example.com');
      await page.getByRole('button', { name: 'Join the beta' }).first().press('Enter');
      const message = page.getByRole('group', { name: "You're on the list!" }).first();
      const { outline, run, drawn } = await message.evaluate(async (element) => {
        // The computed style includes an animation even if it has ended by now.
        const run = [element, ...element.querySelectorAll('*')]
          .flatMap((one) => [null, '::before', '::after'].map((part) => getComputedStyle(one, part).animationName))
          .filter((name) => name !== 'none');
        await Promise.all(element.getAnimations({ subtree: true }).map((one) => one.finished));
        const drawn = getComputedStyle(element, '::after').getPropertyValue('--drawn');
        return { outline: getComputedStyle(element).outlineStyle, run, drawn };
      });
      expect(run.sort()).toEqual(names);
      expect([drawn, outline]).toEqual(['360deg', 'none']);
    });
  });
});

it('the title of the admin dialog gets the focus without a ring', async () => {
  await visit('/', {}, async (page) => {
    await hydrated(page);
    await page.keyboard.press('Control+Alt+KeyA');
    const title = page.getByRole('heading', { name: 'Admin Access' });
    const { isFocused, outline, shadow } = await title.evaluate((heading) => {
      heading.focus();
      const { outlineStyle: outline, boxShadow: shadow } = getComputedStyle(heading);
      return { isFocused: heading.matches(':focus-visible'), outline, shadow };
    });
    expect({ isFocused, outline, shadow }).toEqual({ isFocused: true, outline: 'none', shadow: 'none' });
  });
});

it('any other path shows the 404 page, logs the path and links to the landing page', async () => {
  await visit('/nowhere/at-all', {}, async (page, log) => {
    await expect.poll(() => log.filter((line) => line.includes('/nowhere/at-all'))).toHaveLength(1);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Oops! Page not found');
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await page.waitForURL(`${server.origin}/`);
  });
});
