import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { inlineCss, OURS_FOR_REACT } from './build/embed-plugins.ts';

// Chunks carry a hash in their names: those of an earlier build would be published with this one's.
rmSync('dist', { recursive: true, force: true });

const entry = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  tracker: 'src/tracker.ts',
  'adapters/memory': 'src/adapters/memory.ts',
  'adapters/http': 'src/adapters/http.ts',
  'adapters/firestore': 'src/adapters/firestore.ts',
  'messages/en': 'src/messages/en.ts',
  'messages/es': 'src/messages/es.ts',
  'messages/ar': 'src/messages/ar.ts',
  'messages/pseudo': 'src/messages/pseudo.ts',
};

const common: Options = {
  target: 'es2022',
  sourcemap: true,
  dts: true,
  external: ['react', 'react-dom', 'vitest'],
};

/** The elements: the widgets on a renderer of their own, because the host need not have React. */
const embed: Options = {
  ...common,
  entry: { embed: 'src/embed.ts' },
  noExternal: [/^react/],
  esbuildPlugins: [inlineCss],
  esbuildOptions(options) {
    options.alias = { ...OURS_FOR_REACT };
  },
};

/** Two builds: only ESM can be split into shared and lazy chunks without moving the "use client" directive off its first line. */
export default defineConfig([
  // The contract suite is ESM alone: Vitest cannot be required.
  { ...common, entry: { ...entry, testing: 'src/testing.ts' }, format: 'esm', splitting: true },
  { ...common, entry, format: 'cjs', splitting: false },
  { ...embed, format: 'esm', splitting: true },
  { ...embed, format: 'cjs', splitting: false },
  { entry: { styles: 'src/styles.css', 'themes/lagoon': 'src/themes/lagoon.css' } },
]);
