import { build, type Plugin } from 'esbuild';

/** Lazy modules are built with their own copies of everything they need, so that they share no module with the page. */
const withoutLazyModules: Plugin = {
  name: 'without-lazy-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** Returns the source modules that the entries load at once, as entries of a build keyed by their path in `src`. */
export async function findLoadedModules(entryPoints: string[]): Promise<Record<string, string>> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    format: 'esm',
    packages: 'external',
    plugins: [withoutLazyModules],
  });
  return Object.fromEntries(
    Object.keys(metafile.inputs).map((file) => [file.replace(/^src\/(.+)\.tsx?$/, '$1'), file]),
  );
}

/** Preserves imports between the package's own modules, with a new file extension. A bundled library is not split. */
export const keepModulesApart: Plugin = {
  name: 'keep-modules-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ importer, kind, path }) =>
      kind === 'entry-point' || importer.includes('node_modules')
        ? undefined
        : { path: path.replace(/\.tsx?$/, '.js'), external: true },
    );
  },
};

/**
 * Imports the error class from `path` instead of copying it: an adapter's errors must be instances of the page's class.
 */
export const shareErrors = (path: string): Plugin => ({
  name: 'share-errors',
  setup({ onResolve }) {
    onResolve({ filter: /\/errors\.ts$/ }, () => ({ path, external: true }));
  },
});
