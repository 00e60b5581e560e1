import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { bin: 'src/bin.ts' },
  format: 'esm',
  // Old versions of Node have to understand `bin.js`, which tells them that they are too old.
  target: 'es2020',
  platform: 'node',
  sourcemap: true,
  clean: true,
  removeNodeProtocol: false,
});
