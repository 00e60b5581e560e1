import { defineConfig } from 'tsup';

const entries = { index: 'src/index.ts', functions: 'src/functions/main.ts' };

/** The published package. `tsup.functions.config.ts` bundles the functions that this repository deploys. */
export default defineConfig({
  entry: { ...entries, cli: 'src/cli.ts' },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  sourcemap: true,
  clean: true,
  dts: { entry: entries },
});
