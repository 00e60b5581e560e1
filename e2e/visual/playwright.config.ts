import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** Compares screenshots of the built site and Storybook with those in `pictures`: `npm run test:visual`. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: [],
  grepInvert: [],
  outputDir: '../../node_modules/.cache/e2e-visual',
  // Without the platform's name, because fonts.ts makes screenshots the same on every machine.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  // Strict enough to notice a different shade. The allowed pixels are for edges, which processors round differently.
  expect: { ...base.expect, toHaveScreenshot: { threshold: 0.04, maxDiffPixels: 12 } },
  use: { ...base.use, trace: 'off' },
});
