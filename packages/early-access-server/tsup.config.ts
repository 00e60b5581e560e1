import { defineConfig } from 'tsup';

/** Starts with `node dist/cli.js`; the other file is a thread of it. The workspace's own packages are bundled, because they ship TypeScript. */
export default defineConfig({
  entry: { cli: 'src/cli.ts', 'checkpoint-thread': 'src/stores/sqlite/checkpoint-thread.ts' },
  outDir: 'dist',
  format: 'esm',
  target: 'node24',
  platform: 'node',
  sourcemap: true,
  clean: true,
  dts: false,
  noExternal: ['early-access-kit', /^@early-access-kit\//],
  external: ['hono', '@hono/node-server', 'nodemailer'],
  // esbuild would strip the prefix, and `sqlite` exists under `node:` only.
  removeNodeProtocol: false,
});
