import { tempRoot } from '@early-access-kit/testkit/temp-root';
import { defineConfig } from 'vitest/config';
import { constantsOf } from './site/build/storage.ts';

/** How `npm run test:mutation` runs tests, many thousand times. Globs, separated by spaces. */
const { MUTATION_TESTS = '', MUTATION_SETUP } = process.env;

export default defineConfig({
  define: constantsOf({ kind: 'http' }),
  test: {
    include: MUTATION_TESTS.split(' '),
    // Tests of the time that something takes would fail by chance.
    exclude: ['**/node_modules/**', '**/hostile-input.test.ts'],
    setupFiles: ['packages/testkit/src/few-fixed-examples.ts', ...(MUTATION_SETUP ? [MUTATION_SETUP] : [])],
    isolate: false,
    // Stryker notices endless loops by itself.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { METADATA_SERVER_DETECTION: 'none', TMPDIR: tempRoot() },
  },
});
