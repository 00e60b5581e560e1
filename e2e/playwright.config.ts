import { HANGING_MS, LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { findChromiums, toVariables } from '@early-access-kit/testkit/programs';
import { reportFile } from '@early-access-kit/testkit/report-file';
import { defineConfig, devices } from '@playwright/test';

// Found once and passed to the workers, which load this file again.
const chromiums = await findChromiums();
Object.assign(process.env, toVariables(chromiums));

/** Tests of features that headless shells lack: the back/forward cache and prerendering. */
const WHOLE_BROWSER = '**/e2e/whole-browser/*.spec.ts';
/** Tests that only apply to Firestore. */
const FIRESTORE = '**/e2e/on-firestore/*.spec.ts';
/** Tests with their own configurations. */
const OTHERS = '**/e2e/{consumers,docs-site,engines,journey,storybook,visual}/**';
/** These start emulators with different settings, so with Firestore they run in a separate worker. */
const OTHER_EMULATORS = ['**/e2e/list.spec.ts', '**/e2e/on-firestore/start.spec.ts'];
/** Where data is stored: `firestore`, `postgres`, or SQLite. */
const { STORAGE } = process.env;
const ON_FIRESTORE = STORAGE === 'firestore';
const ignored = [OTHERS, chromiums.whole === undefined ? WHOLE_BROWSER : [], ON_FIRESTORE ? [] : FIRESTORE].flat();

export default defineConfig({
  // With other stores, only tests that store data run, because the pages look the same. On Firebase, a schedule sends
  // campaigns.
  testMatch: STORAGE
    ? [
        '**/e2e/{signup*,visit,admin,dashboard,list,webhooks}.spec.ts',
        '**/e2e/faults/signup*.spec.ts',
        WHOLE_BROWSER,
        ...(ON_FIRESTORE ? [FIRESTORE] : ['**/e2e/campaign*.spec.ts']),
      ]
    : '**/*.spec.ts',
  testIgnore: ignored,
  grepInvert: ON_FIRESTORE ? /@self-hosted/ : [],
  outputDir: `../node_modules/.cache/e2e-${STORAGE ?? 'sqlite'}`,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  // A worker's emulators take long to start, so tests with the same settings run in the same worker.
  ...(ON_FIRESTORE && {
    globalSetup: './support/install-emulators.ts',
    projects: [
      { name: 'emulators', testIgnore: [...ignored, ...OTHER_EMULATORS], workers: 1 },
      { name: 'other emulators', testMatch: OTHER_EMULATORS, workers: 1 },
    ],
  }),
  // Functions on Firebase's emulators take seconds to start, at the first call of each.
  timeout: ON_FIRESTORE ? 5 * LIMIT_MS : LIMIT_MS,
  expect: { timeout: HANGING_MS, toPass: { timeout: HANGING_MS } },
  reporter: reportFile ? [['line'], ['json', { outputFile: reportFile }]] : 'line',
  use: {
    ...devices['Desktop Chrome'],
    actionTimeout: HANGING_MS,
    navigationTimeout: HANGING_MS,
    launchOptions: {
      executablePath: chromiums.shell.executablePath,
      // The tracker ignores browsers that identify as automated.
      args: ['--disable-blink-features=AutomationControlled'],
    },
    contextOptions: { reducedMotion: 'reduce' },
    // Local servers with an untrusted certificate replace Google's.
    ignoreHTTPSErrors: ON_FIRESTORE,
  },
});
