import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.shared.ts';

/** The site's local build comes first. */
export default defineConfig({
  test: { ...patience, name: 'local-firebase', include: ['test/**/*.test.ts'], silent: 'passed-only' },
});
