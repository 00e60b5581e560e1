import { defineConfig } from '@playwright/test';
import landing from './playwright.config.ts';

/** The built Storybook as a designer opens it. Its own configuration, because no server of the product takes part. */
export default defineConfig({
  ...landing,
  testDir: 'storybook',
  testMatch: '**/*.spec.ts',
  testIgnore: [],
  grepInvert: [],
  outputDir: '../node_modules/.cache/e2e-storybook',
});
