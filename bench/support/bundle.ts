import path from 'node:path';
import { build } from 'esbuild';

const PAGES = path.resolve(import.meta.dirname, '../pages');

/** Bundles a page of the folder `pages` as one classic script, minified for production. */
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
