import type { PlaywrightWorkerArgs, PlaywrightWorkerOptions, WorkerFixture } from '@playwright/test';

type LaunchOptions = WorkerFixture<
  PlaywrightWorkerOptions['launchOptions'],
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;

/** The path of a browser with a back/forward cache and prerendering, which headless shells lack. Empty if there is none. */
export const WHOLE_CHROMIUM = process.env.WHOLE_CHROMIUM ?? '';

const launchOptions: LaunchOptions = async ({ launchOptions }, use) =>
  use({ ...launchOptions, executablePath: WHOLE_CHROMIUM, ignoreDefaultArgs: ['--disable-back-forward-cache'] });

/** For `test.use`, because Playwright disables the cache by default. */
export const withBackForwardCache = { launchOptions };
