import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expandEntries } from '@early-access-kit/testkit/entries';
import { defineConfig, type Options } from 'tsup';
import { inlineCss, PREACT_FOR_REACT } from './build/embed-plugins.ts';
import { findLoadedModules, keepModulesApart, shareErrors } from './build/modules.ts';

// Chunk names contain a hash, so chunks of earlier builds would be published, too.
rmSync('dist', { recursive: true, force: true });

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const exported = Object.entries(expandEntries(exports, 'src'));
/** The source modules exported in a format, keyed by path in `src`. The elements are built separately. */
const listEntries = (format: 'import' | 'require') =>
  Object.fromEntries(
    exported
      .filter(([name, target]) => typeof target !== 'string' && format in target && name !== './embed')
      .map(([name]) => (name === '.' ? 'index' : name.slice('./'.length)))
      .map((name) => [name, `src/${name}.ts`]),
  );
const entry = listEntries('require');
const esmEntry = listEntries('import');

/** Only ES modules with code have source maps, because maps are most of a package's bytes. */
const common: Options = {
  target: 'es2022',
  external: ['react', 'react-dom', 'vitest'],
};

/** CommonJS has no shared chunks and is minified, because nobody reads it. Names are kept for stack traces. */
const compact: NonNullable<Options['esbuildOptions']> = (options) => {
  Object.assign(options, { minifyWhitespace: true, minifySyntax: true });
};

/** The elements are built with a copy of Preact, because the host may not use React. */
const embed = {
  ...common,
  entry: { embed: 'src/embed.ts' },
  noExternal: [/^p?react/],
  esbuildPlugins: [inlineCss],
  esbuildOptions(options) {
    options.alias = { ...PREACT_FOR_REACT };
  },
} satisfies Options;

// One file per module, because bundlers assign whole files to chunks. Modules that are needed later can then be lazy.
const modules = Object.entries(await findLoadedModules(Object.values(esmEntry)));
/** Texts, the contract suite, and modules that mostly contain a library. */
const needsNoMap = ([name]: readonly [string, string]) => /^(messages|testing|human)(\/|$)/.test(name);
const apart = { ...common, format: 'esm', splitting: false, esbuildPlugins: [keepModulesApart] } satisfies Options;

/** `build/commonjs-types.ts` copies them for CommonJS. */
const types: Options = { ...common, entry: { ...esmEntry, ...embed.entry }, format: 'esm', dts: { only: true } };

// With `--no-dts`, tsup would build the code of the `types` entry over the other builds.
export default defineConfig(({ dts }) => [
  ...(dts === false ? [] : [types]),
  { ...apart, entry: Object.fromEntries(modules.filter((module) => !needsNoMap(module))), sourcemap: true },
  { ...apart, entry: Object.fromEntries(modules.filter(needsNoMap)) },
  // Bundlers load modules that a lazy module shares with the page immediately, so each lazy module has its own copies.
  {
    ...common,
    entry: {
      'admin/admin-panel': 'src/admin/admin-panel.tsx',
      'suggest/offer-suggestions': 'src/suggest/offer-suggestions.ts',
    },
    format: 'esm',
    sourcemap: true,
    splitting: false,
  },
  {
    ...common,
    entry: { 'adapters/firestore/on-demand': 'src/adapters/firestore/on-demand.ts' },
    format: 'esm',
    splitting: false,
    esbuildPlugins: [shareErrors('../../core/errors.js')],
  },
  { ...common, entry, format: 'cjs', splitting: false, esbuildOptions: compact },
  { ...embed, format: 'esm', splitting: true },
  {
    ...embed,
    format: 'cjs',
    splitting: false,
    esbuildOptions(options, context) {
      embed.esbuildOptions(options);
      compact(options, context);
    },
  },
  {
    entry: { styles: 'src/styles.css', 'more-fields': 'src/more-fields.css', 'themes/lagoon': 'src/themes/lagoon.css' },
    // TypeScript 6 rejects an import that it cannot resolve. CommonJS, so that both kinds of modules can import it.
    onSuccess: async () => writeFileSync('dist/stylesheet.d.cts', 'export {};\n'),
  },
]);
