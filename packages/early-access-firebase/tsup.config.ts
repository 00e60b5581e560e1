import { mkdirSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { parameterFile } from './src/functions/parameter-file.ts';

const entries = { index: 'src/index.ts', functions: 'src/functions/main.ts' };

/** Builds the published package. `tsup.functions.config.ts` bundles the functions that this repository deploys. */
export default defineConfig({
  entry: { ...entries, cli: 'src/cli.ts' },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  clean: true,
  dts: { entry: entries },
  // `init` writes this file without loading Google's libraries, which are only installed afterwards.
  async onSuccess() {
    mkdirSync('dist/templates', { recursive: true });
    writeFileSync('dist/templates/functions.env', parameterFile());
  },
});
