import { build, type Plugin } from 'esbuild';

/** What is loaded later is built with everything it needs, so that no module of the page is shared with it. */
const withoutLazyModules: Plugin = {
  name: 'without-lazy-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** The source modules that the entries load at once, as entries of a build by their path in `src`. */
export async function modulesReachedFrom(entryPoints: string[]): Promise<Record<string, string>> {
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

/** Leaves imports between the package's own modules as they are, but for the ending of the built file. */
export const keepModulesApart: Plugin = {
  name: 'keep-modules-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.tsx?$/, '.js'), external: true },
    );
  },
};

/** Imports the error class from `path` instead of copying it: an adapter's errors have to be instances of the class that the page has. */
export const shareErrors = (path: string): Plugin => ({
  name: 'share-errors',
  setup({ onResolve }) {
    onResolve({ filter: /\/errors\.ts$/ }, () => ({ path, external: true }));
  },
});
