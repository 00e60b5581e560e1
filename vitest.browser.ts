import path from 'node:path';
import { HANGING_MS, LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { findChromiums } from '@early-access-kit/testkit/programs';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { playwright } from '@vitest/browser-playwright';
import type { TestProjectInlineConfiguration } from 'vitest/config';

const { executablePath, env } = (await findChromiums()).shell;

const inChromium = (contextOptions = {}) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: {
      executablePath,
      // Chromium's sandbox refuses to run as root, as containers do.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      env: { ...process.env, ...env },
    },
    contextOptions,
  }),
  instances: [{ browser: 'chromium' as const }],
});

/** The kit's tests that need a real browser. */
const browser: TestProjectInlineConfiguration = {
  extends: false,
  root: 'packages/early-access-kit',
  // Listed, because Vite reloads the page if it finds a dependency during a test.
  optimizeDeps: {
    include: [
      '@testing-library/react',
      '@testing-library/user-event',
      'react',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-dom',
      'react-dom/client',
    ],
  },
  test: {
    name: 'browser',
    include: ['test/browser/*.test.{ts,tsx}'],
    testTimeout: LIMIT_MS,
    expect: { poll: { timeout: HANGING_MS } },
    browser: inChromium(),
  },
};

/**
 * Every story is a test: it renders, its play function passes, and axe finds nothing, with `BOTH_SCHEMES` in the other
 * color scheme neither.
 */
const stories: TestProjectInlineConfiguration = {
  extends: false,
  plugins: [storybookTest({ configDir: path.join(import.meta.dirname, '.storybook') })],
  // Stories share one page, as in Storybook itself: loading React and the dashboard for each file took a third of the
  // time. Contrast is wrong while something fades in.
  test: {
    name: 'stories',
    isolate: false,
    env: { BOTH_SCHEMES: process.env.BOTH_SCHEMES ?? '' },
    testTimeout: LIMIT_MS,
    browser: inChromium({ reducedMotion: 'reduce' }),
  },
};

export const browserProjects = [browser, stories];
