import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** Pictures of the built site and the built Storybook, compared with those in `pictures`: `npm run test:visual`. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: [],
  grepInvert: [],
  outputDir: '../../node_modules/.cache/e2e-visual',
  // No name of a system in it: fonts.ts takes care that every machine has the same pictures.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  // So close that a shade is noticed; the pixels are for edges, which a processor may round in its own way.
  expect: { ...base.expect, toHaveScreenshot: { threshold: 0.04, maxDiffPixels: 12 } },
  use: { ...base.use, trace: 'off' },
});
