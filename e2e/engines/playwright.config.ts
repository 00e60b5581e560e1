import { programOnPath } from '@early-access-kit/testkit/programs';
import { defineConfig } from '@playwright/test';
import { reportFile } from '../../scripts/test/outcomes.ts';
import { BROWSERS, isOnlyHere } from './support/browsers.ts';

/** Set by `npm run test:engines`. `npm test` runs the flows that visitors need most, in the browsers that no other test has. */
const ALL = process.env.ENGINES !== undefined;

export default defineConfig({
  testDir: '.',
  projects: BROWSERS.filter((browser) => (ALL || isOnlyHere(browser)) && browser.find(programOnPath)).map(
    ({ name }) => ({
      name,
    }),
  ),
  ...(!ALL && { grep: /@short/ }),
  outputDir: '../../node_modules/.cache/e2e-engines',
  forbidOnly: true,
  retries: 0,
  // Each worker has a whole browser.
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ['./support/measured.ts'],
    ...(reportFile ? ([['json', { outputFile: reportFile }]] as const) : []),
  ],
});
