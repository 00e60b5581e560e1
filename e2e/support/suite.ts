import path from 'node:path';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** Returns the configuration for a folder of tests that run separately. */
export function suite(folder: string, options: PlaywrightTestConfig = {}): PlaywrightTestConfig {
  const alone: PlaywrightTestConfig = {
    testDir: path.resolve(import.meta.dirname, '..', folder),
    testMatch: '*.spec.ts',
    testIgnore: [],
    grepInvert: [],
    outputDir: `../../node_modules/.cache/e2e-${folder}`,
  };
  return defineConfig(base, alone, options);
}
