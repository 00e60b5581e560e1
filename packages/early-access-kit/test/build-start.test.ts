import { execFileSync } from 'node:child_process';
import { cpSync, globSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';

const KIT = path.resolve(import.meta.dirname, '..');
const ROOT = path.resolve(KIT, '../..');

/** Chunk names contain a content hash, which depends on the folder in source maps. */
const listFiles = (dist: string) =>
  globSync('**/*.{js,cjs,css}', {
    cwd: dist,
    exclude: ['{script,registry,themes}/**', '*-part-*', 'chunk-*'],
  }).toSorted();

it('the modules are the same without types, which `npm start` leaves out', () => {
  const folder = tempFolder();
  const copy = path.join(folder, 'packages/early-access-kit');
  for (const name of ['src', 'build', 'package.json', 'tsconfig.json', 'tsup.config.ts']) {
    cpSync(path.join(KIT, name), path.join(copy, name), { recursive: true });
  }
  cpSync(path.join(ROOT, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  symlinkSync(path.join(KIT, 'node_modules'), path.join(copy, 'node_modules'));
  execFileSync('tsup', ['--no-dts', '--silent'], { cwd: copy, stdio: 'pipe' });
  expect(listFiles(path.join(copy, 'dist'))).toEqual(listFiles(path.join(KIT, 'dist')));
  expect(globSync('*.css', { cwd: path.join(copy, 'dist') })).toEqual(['more-fields.css', 'styles.css']);
});
