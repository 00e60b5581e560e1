import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { bin: 'src/bin.ts' },
  format: 'esm',
  // `bin.js` must run on old versions of Node, where it says which version is needed.
  target: 'es2020',
  platform: 'node',
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
});
