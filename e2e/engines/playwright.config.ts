import { HANGING_MS, LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { findChromiums, hasPlaywright, installedFirefox } from '@early-access-kit/testkit/programs';
import { reportFile } from '@early-access-kit/testkit/report-file';
import { defineConfig, devices } from '@playwright/test';

/**
 * Set by `npm run task -- test:engines`. `npm test -- all` only runs the most important flows, in the browsers that no
 * other test uses.
 */
const ALL = process.env.ENGINES !== undefined;
const INSTALLED_FIREFOX = '**/installed-firefox.spec.ts';

/** Playwright's own builds that `playwright install` has downloaded. */
const projects = [
  { name: 'firefox', use: devices['Desktop Firefox'], isHere: hasPlaywright('firefox') },
  { name: 'webkit', use: devices['Desktop Safari'], isHere: hasPlaywright('webkit') },
  {
    // Other tests use it, too. Here it shows that the flows themselves are correct.
    name: 'chromium',
    use: {
      ...devices['Desktop Chrome'],
      launchOptions: { executablePath: (await findChromiums()).shell.executablePath },
    },
    isHere: ALL,
  },
].filter(({ isHere }) => isHere);

const firefox = installedFirefox();
if (firefox !== undefined) process.env.FIREFOX_PATH = firefox;

export default defineConfig({
  testDir: '.',
  projects: [
    ...projects.map(({ name, use }) => ({
      name,
      use,
      testIgnore: INSTALLED_FIREFOX,
      ...(!ALL && { grep: /@short/ }),
    })),
    ...(firefox ? [{ name: 'installed-firefox', testMatch: INSTALLED_FIREFOX }] : []),
  ],
  outputDir: '../../node_modules/.cache/e2e-engines',
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: LIMIT_MS,
  expect: { timeout: HANGING_MS, toPass: { timeout: HANGING_MS } },
  reporter: [['list'], ...(reportFile ? ([['json', { outputFile: reportFile }]] as const) : [])],
});
