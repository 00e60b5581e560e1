import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findChromium } from '../../scripts/chromium.ts';
import { backendCommands } from './test/browser/backend-commands.ts';

const { executablePath, env } = await findChromium();
// Chromium's sandbox refuses to run as root, as containers do.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Found beforehand, because a dependency that turns up during a test reloads the page.
  optimizeDeps: {
    include: [
      'firebase/app',
      'firebase/firestore/lite',
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
    name: 'early-access-kit in a browser',
    include: ['test/browser/*.test.{ts,tsx}'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      commands: backendCommands,
      provider: playwright({ launchOptions: { args, executablePath, env: { ...process.env, ...env } } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
