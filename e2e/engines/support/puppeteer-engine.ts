import { launch, type Page } from 'puppeteer-core';
import type { Engine, Tab } from './engine.ts';

/** Starts Firefox or Chromium, both driven by puppeteer: Firefox over WebDriver BiDi, Chromium over its DevTools protocol. */
export async function startWithPuppeteer(browser: 'chrome' | 'firefox', executablePath: string): Promise<Engine> {
  const running = await launch({
    browser,
    executablePath,
    headless: true,
    defaultViewport: null,
    // Puppeteer turns the cache off in both.
    extraPrefsFirefox: { 'fission.bfcacheInParent': true },
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: browser === 'chrome' ? ['--window-size=1280,900', ...sandbox()] : ['--width=1280', '--height=900'],
  });
  // Firefox gives the focus to new tabs, but not to the one it starts with.
  const first = await running.newPage();
  return {
    version: (await running.version()).replace(/^.*\//, ''),
    firstTab: {
      ...createTab(first),
      hiddenBy: 'another tab',
      async hide() {
        await running.newPage();
        await first.evaluate(
          () =>
            new Promise<void>((resolve) => {
              if (document.hidden) resolve();
              else document.addEventListener('visibilitychange', () => resolve(), { once: true });
            }),
        );
      },
      show: () => first.bringToFront(),
    },
    newTab: async () => createTab(await running.newPage()),
    close: () => running.close(),
  };
}

/** Chromium does not start its sandbox as root. */
function sandbox(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

function createTab(page: Page): Tab {
  return {
    async open(url) {
      await page.goto(url);
    },
    evaluate: (run, argument = '') => page.evaluate(run, argument),
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    async pressControlAltA() {
      await page.keyboard.down('Control');
      await page.keyboard.down('Alt');
      await page.keyboard.press('a');
      await page.keyboard.up('Alt');
      await page.keyboard.up('Control');
    },
    close: () => page.close({ runBeforeUnload: true }),
  };
}
