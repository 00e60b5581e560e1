import { build } from 'esbuild';

const common = { bundle: true, jsx: 'automatic', logLevel: 'warning' };

// The browser's code, with the stylesheet beside it.
await build({
  ...common,
  entryPoints: ['src/client.jsx'],
  outdir: 'dist/public',
  format: 'esm',
  splitting: true,
  minify: true,
});

// The server in both formats. It loads React and the kit from node_modules.
for (const [format, file] of [
  ['esm', 'dist/server.mjs'],
  ['cjs', 'dist/server.cjs'],
]) {
  await build({
    ...common,
    entryPoints: ['src/server.jsx'],
    outfile: file,
    format,
    platform: 'node',
    packages: 'external',
  });
}
