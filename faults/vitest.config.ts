import { defineConfig } from 'vitest/config';
import { patience } from '../vitest.shared.ts';
import { LONG } from './support/scale.ts';

const HOUR_MS = 3_600_000;

/** The faults without a browser. */
export default defineConfig({
  test: { ...patience, ...(LONG && { testTimeout: HOUR_MS }), name: 'faults', include: ['*/**/*.test.ts'] },
});
