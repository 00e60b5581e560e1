import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { bin: 'src/bin.ts' },
  format: 'esm',
  // `bin.js` must run on old versions of Node.js to print the required version.
  target: 'es2020',
  platform: 'node',
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
});
