import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';
import { createFolder } from './create-folder.ts';

it('creates what is missing, for its own user only, and leaves what is there', () => {
  const folder = join(tempFolder(), 'a', 'b');
  createFolder(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, '..')).mode & 0o777]).toEqual([0o700, 0o700]);
  createFolder(folder);
});

it('throws if a file or a link to nothing is in the way', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'));
  for (const path of ['file', 'file/a', 'file/a/b', 'link', 'link/a']) {
    expect(() => createFolder(join(folder, path)), path).toThrow(/EEXIST|ENOTDIR|ENOENT/);
  }
});

it.runIf(existsSync('/proc/self'))('throws in a file system that takes no folders', () => {
  for (const path of ['/proc/early-access', '/proc/early-access/data']) {
    expect(() => createFolder(path), path).toThrow(/ENOENT|EACCES/);
  }
});
