import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Plugin } from 'esbuild';

const PAGES = path.resolve(import.meta.dirname, '../pages');

export interface BundleOptions {
  /** Modules that the page has anyway. */
  readonly external?: readonly string[];
  readonly format?: 'esm' | 'iife';
}

/** What is loaded only when it is asked for does not count: nobody waits for it. */
const withoutLazyParts: Plugin = {
  name: 'without-lazy-parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ kind, path: wanted }) =>
      kind === 'dynamic-import' ? { path: wanted, external: true } : undefined,
    ),
};

/** The script that a page of the folder `pages` loads at once, bundled and minified for production. */
export async function bundle(page: string, { external = [], format = 'esm' }: BundleOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(PAGES, `${page}.ts`)],
    bundle: true,
    minify: true,
    format,
    platform: 'browser',
    target: 'es2022',
    external: [...external],
    plugins: [withoutLazyParts],
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'error',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** What travels. */
export function brotliBytes(file: string | Uint8Array): number {
  return brotliCompressSync(file, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
    .length;
}
