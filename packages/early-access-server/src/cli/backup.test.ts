import fs, { fstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readSignups } from '../fixtures/read-back.ts';
import { runHere } from '../fixtures/run-command.ts';
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
  expect((await runHere(backup, [target], { DATA_DIR })).code).toBe(0);
  // The copy was also flushed while it was written.
  expect(flushed.slice(-2)).toEqual([
    `file of ${statSync(target).size} bytes, before it got its name`,
    'folder, after it got its name',
  ]);
  expect(readdirSync(folder).sort()).toEqual(['copy.sqlite', 'copy.sqlite.part']);
  expect(readFileSync(`${target}.part`, 'utf8')).toBe('from another process');
});

it('writes a whole copy with the rights of the process, and never overwrites a file', async () => {
  const DATA_DIR = tempFolder();
  const store = openData(DATA_DIR);
  await store.createSignup(signupOf());
  store.close();
  const file = join(DATA_DIR, 'copy.sqlite');
  // As in main.ts.
  const before = process.umask(0o077);
  onTestFinished(() => void process.umask(before));
  expect(await runHere(backup, [file], { DATA_DIR })).toMatchObject({ code: 0, stdout: `Wrote ${file}\n` });
  expect(statSync(file).mode & 0o077).toBe(0);
  const copy = new DatabaseSync(file, { readOnly: true });
  expect(readSignups(copy)).toHaveLength(1);
  copy.close();
  await expect(runHere(backup, [file], { DATA_DIR })).rejects.toThrow('already exists');
  const nowhere = join(DATA_DIR, 'missing', 'copy.sqlite');
  await expect(runHere(backup, [nowhere], { DATA_DIR })).rejects.toThrow(/^the backup .* cannot be written/);
});
