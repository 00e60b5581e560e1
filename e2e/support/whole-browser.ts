import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaywrightTestArgs, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestFixture } from '@playwright/test';

type ContextFixture = TestFixture<PlaywrightTestArgs['context'], PlaywrightWorkerArgs & PlaywrightWorkerOptions>;

/**
 * The path of a full browser with a back/forward cache and prerendering, unlike headless shells. Empty if there is
 * none.
 */
export const WHOLE_CHROMIUM = process.env.WHOLE_CHROMIUM ?? '';

const context: ContextFixture = async ({ playwright, launchOptions }, use) => {
  const browser = await playwright.chromium.launch({
    executablePath: WHOLE_CHROMIUM,
    // Playwright disables the cache by default.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    // On a slow machine a page can take longer to freeze than Chromium's limit of three seconds.
    args: [...(launchOptions.args ?? []), '--disable-features=BackForwardCacheEntryTimeout'],
  });
  await use(await browser.newContext());
  await browser.close();
};

/**
 * Settings for `test.use` that start a browser for each test, through the fixture `context`. Launch options would start
 * another worker, and with it another backend.
 */
export const inBrowserWithCache = { context };

/** A browser without an attached driver, because Chromium does not prerender under automation. */
export interface OwnBrowser {
  close(): Promise<void>;
}

export async function openOwnBrowser(url: string, userAgent: string): Promise<OwnBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'early-access-browser-'));
  const child = spawn(
    WHOLE_CHROMIUM,
    [
      '--headless=new',
      '--no-first-run',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      // Like Playwright: root and many containers cannot use the sandbox, and the pages are trusted.
      '--no-sandbox',
      `--user-data-dir=${profile}`,
      `--user-agent=${userAgent}`,
      url,
    ],
    { stdio: 'ignore', detached: true },
  );
  await once(child, 'spawn');
  return {
    async close() {
      const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      // Kills the whole group, because Debian's program is a script that starts the browser.
      if (child.pid !== undefined && exit) process.kill(-child.pid, 'SIGKILL');
      await exit;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
