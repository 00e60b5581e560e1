import path from 'node:path';
import { type BundlerName, initialBytes } from '@early-access-kit/testkit/bundlers';
import { build } from 'esbuild';

const PAGES = path.resolve(import.meta.dirname, '../pages');

/** A page of the folder `pages` as one classic script, minified for production. */
export async function bundle(page: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(PAGES, `${page}.ts`)],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'error',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** The Brotli bytes that a page of the folder `pages` loads at once, from the bundler that emits most. `external` is on the page anyway. */
export async function largestBytes(
  page: string,
  external: readonly string[],
  bundlers?: readonly BundlerName[],
): Promise<number> {
  return Math.max(...Object.values(await initialBytes(path.join(PAGES, `${page}.ts`), external, bundlers)));
}
