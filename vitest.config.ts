import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { LONG } from '@early-access-kit/testkit/fault-runs';
import { HANGING_MS, LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { reportFile } from '@early-access-kit/testkit/report-file';
import { tempRoot } from '@early-access-kit/testkit/temp-root';
import { testsWithPrograms } from '@early-access-kit/testkit/tests-with-programs';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { createConstants } from './site/build/storage.ts';

const KIT = 'packages/early-access-kit';
const PREACT = path.join(import.meta.dirname, KIT, 'test/preact');
const SPOKEN_ELEMENTS = `${KIT}/src/embed/spoken-elements.test.tsx`;
const HOUR_MS = 3_600_000;
/** These run on Google's emulator: the Firestore store, adapter, rules and functions. */
const ON_FIRESTORE = [
  'packages/*/{src,test}/**/firestore/**/*.test.ts',
  'packages/early-access-firebase/src/{cli,functions/**/*,rules/generate-rules}.test.ts',
];
const SIMULATION = 'faults/simulation/simulation.test.ts';
const SEVERAL_MINUTES_MS = 5 * LIMIT_MS;
const SETUP = ['wait-for', 'cpu-time'].map((name) => `packages/testkit/src/${name}.ts`);
/**
 * The browser projects need Chromium and Storybook, so they load only if `--project browser` or `--project 'stories*'`
 * asks for them.
 */
const inBrowser =
  process.env.VITEST_STORYBOOK || process.argv.slice(2).some((argument) => /\b(browser|stories)/.test(argument));

/**
 * Their tests start programs and clients of Google's that outlive a test file, so each file gets a process. The others
 * share one.
 */
const ISOLATED = ['packages/early-access-firebase', 'bench', 'faults'];

/** `npm test` leaves these to `npm test -- all`. */
const WITH_PROGRAMS = testsWithPrograms(ON_FIRESTORE);

/** The tests of one package in Node. */
function unitTests(folder: string): TestProjectInlineConfiguration {
  return {
    test: {
      name: path.basename(folder),
      include: [`${folder}/**/*.test.{ts,tsx}`],
      isolate: ISOLATED.includes(folder),
      // They print figures. A round starts, kills and restarts servers, and there are a few in a test. A long launch
      // takes more than an hour, because the SMTP server of the tests takes 100 ms for each connection.
      ...(folder === 'faults' && { silent: false, testTimeout: LONG ? 3 * HOUR_MS : SEVERAL_MINUTES_MS }),
      exclude: [
        ...ON_FIRESTORE,
        ...WITH_PROGRAMS,
        ...(LONG ? [] : ['faults/simulation/long-rounds.test.ts']),
        SIMULATION,
      ],
    },
  };
}

/** A few hundred simulated histories, which `npm test -- all` runs. The project of the faults has the long rounds. */
const simulation: TestProjectInlineConfiguration = {
  // A hundred histories take 35 seconds of processor time.
  test: { name: 'simulation', include: [SIMULATION], testTimeout: SEVERAL_MINUTES_MS },
};

/**
 * Each test file of the widgets gets its own page and modules, in a VM context instead of a process: jsdom takes a
 * second to load, and is loaded once.
 */
const ownPage = { pool: 'vmForks' as const, setupFiles: [`${KIT}/test/find-by.ts`] };

/** Some of the dashboard's tests need a page. */
const dashboard: TestProjectInlineConfiguration = { test: { ...unitTests('packages/dashboard').test, ...ownPage } };

/** The kit's tests next to its source. */
const kit: TestProjectInlineConfiguration = {
  test: {
    name: 'early-access-kit',
    include: [`${KIT}/{src,docs}/**/*.test.{ts,tsx}`],
    // The elements are built with Preact alone.
    exclude: [...ON_FIRESTORE, ...WITH_PROGRAMS, SPOKEN_ELEMENTS],
    ...ownPage,
  },
};

/** The tests of all packages that start programs. */
const programs: TestProjectInlineConfiguration = {
  // Bundlers build whole pages, and Postgres creates its files.
  test: { name: 'programs', include: WITH_PROGRAMS, testTimeout: SEVERAL_MINUTES_MS, hookTimeout: SEVERAL_MINUTES_MS },
};

/** The widgets' own tests once more, on Preact as in the elements. Excludes tests that render on a server. */
const preact: TestProjectInlineConfiguration = {
  resolve: {
    alias: [
      {
        find: /^react(-dom|-dom\/client|\/jsx-(dev-)?runtime)?$/,
        replacement: path.join(PREACT, 'react.ts'),
      },
      { find: '@testing-library/react', replacement: path.join(PREACT, 'testing-library.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    name: 'preact',
    include: [
      'signup/signup-form.test.tsx',
      'toasts/*.test.tsx',
      'signup/spoken-form.test.tsx',
      'admin/spoken-overlay.test.tsx',
      'tracker/session-tracker.test.tsx',
      'admin/{admin-overlay-load,overlay-dialogs}.test.tsx',
    ]
      .map((file) => `${KIT}/src/${file}`)
      .concat(SPOKEN_ELEMENTS),
    ...ownPage,
  },
};

/** Each file gets a process, because some set variables that Google's libraries read. */
const firestore: TestProjectInlineConfiguration = {
  test: {
    name: 'firestore',
    include: ON_FIRESTORE,
    globalSetup: 'packages/testkit/src/firestore-setup.ts',
    setupFiles: ['packages/testkit/src/first-counterexample.ts'],
    // Concurrent tests wait for locks in Google's emulator, and one reads a million sessions.
    maxConcurrency: 12,
    testTimeout: SEVERAL_MINUTES_MS,
    hookTimeout: SEVERAL_MINUTES_MS,
  },
};

export default defineConfig({
  define: createConstants({ kind: 'http' }),
  test: {
    // Tests wait for conditions, never for time, so only a hanging one gets here. A test that needs more says so, and
    // why.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: HANGING_MS } },
    setupFiles: SETUP,
    // Tests wait for programs and browsers half of the time, so that one worker, the default on two cores, leaves a
    // core idle.
    maxWorkers: availableParallelism() + 1,
    // Most objects of a test are short-lived. With more room for them, less is collected.
    execArgv: ['--max-semi-space-size=64'],
    silent: 'passed-only',
    env: {
      // Google's libraries would look for a cloud to get credentials from.
      METADATA_SERVER_DETECTION: 'none',
      // Long rounds of faults are on a disk, as in production.
      ...(!LONG && { TMPDIR: tempRoot() }),
    },
    exclude: [...configDefaults.exclude, '**/test/browser/**'],
    reporters: reportFile ? ['default', ['json', { outputFile: reportFile }]] : ['default'],
    projects: [
      ...globSync('{packages/*,site,bench,faults}/package.json', { cwd: import.meta.dirname })
        .map((file) => path.dirname(file))
        .filter((folder) => folder !== KIT && folder !== 'packages/dashboard')
        .map(unitTests),
      dashboard,
      simulation,
      kit,
      programs,
      preact,
      firestore,
      ...(inBrowser ? (await import('./vitest.browser.ts')).browserProjects : []),
    ],
  },
});
