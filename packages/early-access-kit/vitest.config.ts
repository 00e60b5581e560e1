import { configDefaults, defineConfig } from 'vitest/config';
import { patience } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...patience,
    name: 'early-access-kit',
    include: ['src/**/*.test.{ts,tsx}', '{docs,test}/**/*.test.ts'],
    // They have a configuration of their own, vitest.browser.config.ts.
    exclude: [...configDefaults.exclude, 'test/browser/**'],
  },
});
