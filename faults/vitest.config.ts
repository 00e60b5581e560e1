import { defineConfig } from 'vitest/config';
import { patience } from '../vitest.shared.ts';
import { LONG } from './support/scale.ts';

/** A few rounds take seconds on an idle machine, and the long ones minutes. */
const testTimeout = LONG ? 3_600_000 : 180_000;

/** The faults without a browser. */
export default defineConfig({
  test: { ...patience, testTimeout, name: 'faults', include: ['*/**/*.test.ts'] },
});
