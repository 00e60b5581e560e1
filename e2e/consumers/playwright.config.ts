import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** Tests the packed package in typical projects. `npm test` runs those tagged @fast, `npm run test:consumers` all of them. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: [],
  grepInvert: [],
  outputDir: '../../node_modules/.cache/e2e-consumers',
  globalSetup: './support/pack.ts',
  // Each file builds its consumer once.
  fullyParallel: false,
  // Includes installing and building.
  timeout: 300_000,
});
