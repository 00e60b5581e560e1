import { defineConfig } from 'tsup';

/** One file that starts with `node dist/main.js`. The workspace's own packages are bundled, because they ship TypeScript. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
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
