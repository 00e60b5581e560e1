import { startProcess } from '@early-access-kit/testkit/child-process';
import { freePort } from '@early-access-kit/testkit/http-server';
import { expect } from '@playwright/test';
import { Builder, Capabilities, Key as KeyCode, type WebDriver } from 'selenium-webdriver';
import type { Engine, Key, Tab } from './engine.ts';

const CODES: Readonly<Record<Key, string>> = { Enter: KeyCode.ENTER, Escape: KeyCode.ESCAPE, Tab: KeyCode.TAB };

/** The programs of WebKitGTK and of the virtual screen on which its browser draws. */
export interface WebKitPrograms {
  readonly driver: string;
  readonly browser: string;
  readonly screen: string;
}

/** Starts WebKitGTK's small browser through its own WebDriver. It cannot run without a screen. */
export async function startWebKit({ driver, browser, screen }: WebKitPrograms): Promise<Engine> {
  const { PATH = '', HOME = '' } = process.env;
  // It chooses a free display and prints its number.
  const display = startProcess([screen, '-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    env: { PATH },
  });
  const DISPLAY = `:${await display.printedMatch('stdout', /^(\d+)$/m)}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = startProcess([driver, `--port=${port}`, '--host=127.0.0.1'], { env: { PATH, HOME, DISPLAY } });
  const listens = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(listens, `${driver} listens`).toBe(true);
  const session = await new Builder()
    .usingServer(url)
    .withCapabilities(
      new Capabilities({ 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } }).setBrowserName(
        'MiniBrowser',
      ),
    )
    .build();
  const first = await session.getWindowHandle();
  const firstTab = createTab(session, first);
  return {
    version: String((await session.getCapabilities()).getBrowserVersion()),
    firstTab: {
      ...firstTab,
      // The driver does not bring tabs to the front, and there is no window manager to minimize the window.
      hiddenBy: 'a simulated event',
      hide: () => simulateVisibility(firstTab, 'hidden'),
      show: () => simulateVisibility(firstTab, 'visible'),
    },
    newTab: async () => {
      await session.switchTo().window(first);
      // The driver waits forever for the mouse in the second tab of a window.
      await session.switchTo().newWindow('window');
      return createTab(session, await session.getWindowHandle());
    },
    async close() {
      await session.quit();
      await service.end('SIGTERM');
      await display.end('SIGTERM');
    },
  };
}

async function simulateVisibility(tab: Tab, state: DocumentVisibilityState): Promise<void> {
  await tab.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    Object.defineProperty(document, 'hidden', { configurable: true, value: value === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

/** Commands go to the window that the session is switched to, which comes to the front. */
function createTab(session: WebDriver, handle: string): Tab {
  const show = () => session.switchTo().window(handle);
  return {
    async open(url) {
      await show();
      await session.get(url);
    },
    async evaluate(run, argument = '') {
      await show();
      return session.executeScript(run, argument);
    },
    async clickAt({ x, y }) {
      await show();
      await session.actions().move({ x, y }).click().perform();
    },
    async type(text) {
      await show();
      await session.actions().sendKeys(text).perform();
    },
    async press(key) {
      await show();
      await session.actions().sendKeys(CODES[key]).perform();
    },
    async pressControlAltA() {
      await show();
      const { CONTROL, ALT } = KeyCode;
      await session.actions().keyDown(CONTROL).keyDown(ALT).sendKeys('a').keyUp(ALT).keyUp(CONTROL).perform();
    },
    async close() {
      await show();
      await session.close();
    },
  };
}
