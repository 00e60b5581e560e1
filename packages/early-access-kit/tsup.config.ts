import { rmSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { inlineCss, PREACT_FOR_REACT } from './build/embed-plugins.ts';
import { findLoadedModules, keepModulesApart, shareErrors } from './build/modules.ts';
import { LANGUAGES } from './src/messages/languages.ts';

// Chunk names contain a hash, so chunks of an earlier build would be published too.
rmSync('dist', { recursive: true, force: true });

const entry = {
  index: 'src/index.ts',
  core: 'src/core.ts',
  tracker: 'src/tracker.ts',
  fields: 'src/fields.ts',
  hydration: 'src/hydration.ts',
  share: 'src/share.ts',
  suggest: 'src/suggest.ts',
  count: 'src/count.ts',
  'human/turnstile': 'src/human/turnstile.ts',
  'human/hcaptcha': 'src/human/hcaptcha.ts',
  'human/proof-of-work': 'src/human/proof-of-work.ts',
  'adapters/memory': 'src/adapters/memory.ts',
  'adapters/http': 'src/adapters/http.ts',
  'adapters/firestore': 'src/adapters/firestore.ts',
  messages: 'src/messages.ts',
  'messages/pseudo': 'src/messages/pseudo.ts',
  ...Object.fromEntries(
    LANGUAGES.map((language) => `messages/${language.toLowerCase()}`).map((name) => [name, `src/${name}.ts`]),
  ),
};
/** Vitest cannot be required, so the contract suite is ESM only. */
const esmEntry = { ...entry, testing: 'src/testing.ts' };

/** Only the ES modules with code have source maps, which are most of a package's bytes. */
const common: Options = {
  target: 'es2022',
  external: ['react', 'react-dom', 'vitest'],
};

/** The elements: the widgets on a copy of Preact, because the host need not have React. */
const embed = {
  ...common,
  entry: { embed: 'src/embed.ts' },
  noExternal: [/^p?react/],
  esbuildPlugins: [inlineCss],
  esbuildOptions(options) {
    options.alias = { ...PREACT_FOR_REACT };
  },
} satisfies Options;

// One file per module: a host's bundler assigns whole files to its chunks, so only separate files can move to the lazy one.
const modules = Object.entries(await findLoadedModules(Object.values(esmEntry)));
/** Texts, the contract suite, and modules that are mostly a library. */
const needsNoMap = ([name]: readonly [string, string]) => /^(messages|testing|human)(\/|$)/.test(name);
const apart = { ...common, format: 'esm', splitting: false, esbuildPlugins: [keepModulesApart] } satisfies Options;

/** `build/commonjs-types.ts` copies them for CommonJS. */
const types: Options = { ...common, entry: { ...esmEntry, ...embed.entry }, format: 'esm', dts: { only: true } };

// With `--no-dts`, tsup would build the code of `types`, over that of the others.
export default defineConfig(({ dts }) => [
  ...(dts === false ? [] : [types]),
  { ...apart, entry: Object.fromEntries(modules.filter((module) => !needsNoMap(module))), sourcemap: true },
  { ...apart, entry: Object.fromEntries(modules.filter(needsNoMap)) },
  // Bundlers load modules that a lazy module shares with the page at once, so each lazy module has its own copies.
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
  { ...common, entry, format: 'cjs', splitting: false },
  { ...embed, format: 'esm', splitting: true },
  { ...embed, format: 'cjs', splitting: false },
  {
    entry: { styles: 'src/styles.css', 'themes/lagoon': 'src/themes/lagoon.css' },
    // TypeScript 6 rejects an import that it cannot resolve. CommonJS, so that both kinds of modules can import it.
    onSuccess: async () => writeFileSync('dist/stylesheet.d.cts', 'export {};\n'),
  },
]);
