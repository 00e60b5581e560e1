import fs, { fstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { backup } from './backup.ts';
import { openData } from './data-folder.ts';

it('flushes the copy and its folder to disk, and does not touch other files', async () => {
  const [DATA_DIR, folder] = [tempFolder(), tempFolder()];
  openData(DATA_DIR).close();
  const target = join(folder, 'copy.sqlite');
  writeFileSync(`${target}.part`, 'from another process');
  const flushed: string[] = [];
  const { fsyncSync } = fs;
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    const opened = fstatSync(descriptor);
    const what = opened.isDirectory() ? 'folder' : `file of ${opened.size} bytes`;
    flushed.push(`${what}, ${readdirSync(folder).includes('copy.sqlite') ? 'after' : 'before'} it got its name`);
    fsyncSync(descriptor);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  const stdio = { stdout: new PassThrough(), stderr: new PassThrough() };
  expect(await backup({ args: [target], env: { DATA_DIR }, ...stdio })).toBe(0);
  // The copy was also flushed while it was written.
  expect(flushed.slice(-2)).toEqual([
    `file of ${statSync(target).size} bytes, before it got its name`,
    'folder, after it got its name',
  ]);
  expect(readdirSync(folder).sort()).toEqual(['copy.sqlite', 'copy.sqlite.part']);
  expect(readFileSync(`${target}.part`, 'utf8')).toBe('from another process');
});
