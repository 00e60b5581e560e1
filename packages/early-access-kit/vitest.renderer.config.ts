import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.shared.ts';

const inTests = (file: string) => path.join(import.meta.dirname, 'test/renderer', file);

/** The widgets' own tests once more, on what the elements are built with. Left out are those that render on a server. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^react(-dom|-dom\/client|\/jsx-(dev-)?runtime)?$/, replacement: inTests('react.ts') },
      { find: '@testing-library/react', replacement: inTests('testing-library.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    ...patience,
    name: 'early-access-kit on its own renderer',
    include: [
      'src/signup/signup-form.test.tsx',
      'src/toasts/*.test.tsx',
      'src/tracker/session-tracker.test.tsx',
      'src/admin/{access-dialog,admin-overlay-load,analytics-panel,overlay-parts}.test.tsx',
    ],
  },
});
