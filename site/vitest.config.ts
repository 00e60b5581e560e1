import { defineConfig } from 'vitest/config';
import { patience } from '../vitest.shared.ts';
import { constantsOf } from './build/storage.ts';

/** `test` reads the built site: `pnpm build` comes first. */
export default defineConfig({
  define: constantsOf({ kind: 'http' }),
  test: { ...patience, name: 'site', include: ['{src,build,cards,test}/**/*.test.ts'] },
});
