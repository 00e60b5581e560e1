import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      '{packages,tools}/*/vitest.config.ts',
      'packages/early-access-kit/vitest.renderer.config.ts',
      '{site,bench,faults}/vitest.config.ts',
    ],
  },
});
