import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { findChromium } from '../scripts/chromium.ts';

const configDir = fileURLToPath(new URL('.', import.meta.url));
const { executablePath, env } = await findChromium();
// Chromium's sandbox refuses to run as root, as containers do.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Every story is a test: it renders, its play function passes, and axe finds nothing, in this theme. */
const storiesIn = (theme: 'light' | 'dark'): TestProjectConfiguration => ({
  plugins: [storybookTest({ configDir, initialGlobals: { theme } })],
  test: {
    name: `storybook ${theme}`,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { args, executablePath, env: { ...process.env, ...env } },
        // What fades in has no contrast while it does.
        contextOptions: { reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});

export default defineConfig({ test: { projects: [storiesIn('light'), storiesIn('dark')] } });
