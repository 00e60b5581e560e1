import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...patience,
    name: 'functions',
    include: ['src/**/*.test.ts'],
    // Firebase's library logs every call; what it said shows where a test fails.
    silent: 'passed-only',
    // Google's libraries would look for a cloud to get credentials from.
    env: { METADATA_SERVER_DETECTION: 'none' },
  },
});
