import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import webpack from 'webpack';

interface Bundle {
  /** The files that a page with the entry loads initially. */
  readonly initial: readonly BundledFile[];
  /** Lazily loaded files and stylesheets. */
  readonly later: readonly BundledFile[];
}

export interface BundledFile {
  readonly name: string;
  readonly text: string;
}

/** Bundles the entry, an absolute path, for production, with code splitting and without the external packages. */
export type Bundler = (entry: string, external?: readonly string[]) => Promise<Bundle>;

export const BUNDLERS: Readonly<Record<'vite' | 'webpack' | 'esbuild', Bundler>> = {
  async vite(entry, external = []) {
    const results = await vite({
      root: path.dirname(entry),
      configFile: false,
      logLevel: 'silent',
      build: { write: false, minify: true, rolldownOptions: { input: entry, external: external.map(matchPackage) } },
    });
    const outputs = [results].flat().flatMap((result) => ('output' in result ? result.output : []));
    const chunks = new Map(outputs.flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output]] : [])));
    const entries = [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
    return split(
      outputs.map((output) => ({
        name: output.fileName,
        text: output.type === 'chunk' ? output.code : String(output.source),
      })),
      reachable(entries, (file) => chunks.get(file)?.imports ?? []),
    );
  },

  async webpack(entry, external = []) {
    const compiler = webpack({
      mode: 'production',
      context: path.dirname(entry),
      entry,
      // Modules, like the other two: classic scripts would add 0.5 kB of webpack's runtime, once per site.
      output: { module: true },
      experiments: { css: true, outputModule: true },
      externals: Object.fromEntries(external.map((name) => [name, `module ${name}`])),
      performance: false,
    });
    // Nothing is written: the files are read from the compilation.
    compiler.hooks.shouldEmit.tap('bundlers', () => false);
    const { compilation } = await new Promise<webpack.Stats>((resolve, reject) =>
      compiler.run((error, stats) => (stats ? resolve(stats) : reject(error))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    if (compilation.errors.length > 0) throw new AggregateError(compilation.errors, compilation.errors.join('\n'));
    return split(
      compilation.getAssets().map(({ name, source }) => ({ name, text: String(source.source()) })),
      new Set([...compilation.entrypoints.values()].flatMap((entrypoint) => entrypoint.getFiles())),
    );
  },

  async esbuild(entry, external = []) {
    const { outputFiles, metafile } = await esbuild({
      entryPoints: [entry],
      outdir: '/',
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      external: [...external],
      define: { 'process.env.NODE_ENV': '"production"' },
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const outputs = new Map(Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]));
    return split(
      outputFiles.map(({ path: file, text }) => ({ name: path.basename(file), text })),
      reachable([path.basename(entry).replace(/\.\w+$/, '.js')], (file) =>
        (outputs.get(file)?.imports ?? [])
          .filter(({ kind, external = false }) => kind === 'import-statement' && !external)
          .map(({ path: chunk }) => path.basename(chunk)),
      ),
    );
  },
};

/** Returns the code of the files, without stylesheets. */
export function joinCode(files: readonly BundledFile[]): string {
  return files
    .filter(({ name }) => /\.m?js$/.test(name))
    .map(({ text }) => text.trim())
    .join('\n');
}

/** Returns the total transfer size. Each file is compressed with Brotli separately. */
export function brotliBytes(...files: readonly (string | Uint8Array)[]): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return files.reduce((total, file) => total + brotliCompressSync(file, { params }).length, 0);
}

/** Returns the bytes that a page with the entry loads initially, by bundler. */
export async function initialBytes(entry: string, external: readonly string[] = []): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    const { initial } = await bundle(entry, external);
    sizes[name] = brotliBytes(...initial.map(({ text }) => text));
  }
  return sizes;
}

function split(files: readonly BundledFile[], initial: ReadonlySet<string>): Bundle {
  const isInitial = ({ name }: BundledFile) => /\.m?js$/.test(name) && initial.has(name);
  return { initial: files.filter(isInitial), later: files.filter((file) => !isInitial(file)) };
}

function reachable(entries: readonly string[], importsOf: (file: string) => readonly string[]): Set<string> {
  const reached = new Set(entries);
  // Iterating over a set includes items that are added during the loop.
  for (const file of reached) for (const imported of importsOf(file)) reached.add(imported);
  return reached;
}

function matchPackage(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`);
}
