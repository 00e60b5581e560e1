/**
 * Copies the bundled type declarations for CommonJS, because TypeScript treats a package's `.d.ts` files as ES modules.
 * The copies only differ in their imports.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';

const RELATIVE_IMPORT = /(\b(?:from |import |import\()(['"])\.[^'"]*)\.js\2/g;

for (const file of globSync('dist/**/*.d.ts', { exclude: ['dist/testing.d.ts'] })) {
  const types = readFileSync(file, 'utf8');
  writeFileSync(file.replace(/ts$/, 'cts'), types.replace(RELATIVE_IMPORT, '$1.cjs$2'));
}
