import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** The packed package in projects as its users have them. Those marked @fast are in `npm test`, all in `npm run test:consumers`. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: [],
  grepInvert: [],
  outputDir: '../../node_modules/.cache/e2e-consumers',
  globalSetup: './support/pack.ts',
  // A file's consumer is built once.
  fullyParallel: false,
  // Installing and building are in it.
  timeout: 300_000,
});
