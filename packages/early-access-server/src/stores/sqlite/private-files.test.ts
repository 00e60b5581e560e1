import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backup } from '../../cli/backup.ts';
import { openData } from '../../cli/data-folder.ts';
import { restore } from '../../cli/restore.ts';
import { sqliteStore } from './sqlite-store.ts';

const command = (args: readonly string[], DATA_DIR: string) => ({
  ...{ args, env: { DATA_DIR } },
  ...{ stdout: new PassThrough(), stderr: new PassThrough() },
});

/** The mode of the folder and of everything in it. */
function readModes(folder: string) {
  const modes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [name, join(folder, name)]);
  return Object.fromEntries(
    [['.', folder], ...modes].map(([name = '', path = '']) => [name, statSync(path).mode & 0o777]),
  );
}

let umask: number;
beforeAll(() => {
  umask = process.umask(0);
});
afterAll(() => {
  process.umask(umask);
});

it('a mounted store and its backups can only be read by their own user, with any umask', async () => {
  const folder = join(tempFolder(), 'new', 'data');
  const store = sqliteStore({ file: join(folder, 'list.sqlite') });
  await store.createSignup(signupOf());
  await store.backup(join(folder, 'copy.sqlite'));
  expect(readModes(folder)).toEqual({
    '.': 0o700,
    'copy.sqlite': 0o600,
    'list.sqlite': 0o600,
    'list.sqlite-shm': 0o600,
    'list.sqlite-wal': 0o600,
  });
  store.close();
  expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
});

it('so can what the commands create', async () => {
  const [DATA_DIR, restored] = [join(tempFolder(), 'data'), join(tempFolder(), 'restored')];
  const file = join(DATA_DIR, 'copy.sqlite');
  openData(DATA_DIR).close();
  expect(await backup(command([file], DATA_DIR))).toBe(0);
  expect(await restore(command([file], restored))).toBe(0);
  expect(readModes(DATA_DIR)).toEqual({ '.': 0o700, 'copy.sqlite': 0o600, 'early-access.sqlite': 0o600 });
  expect(readModes(restored)).toEqual({ '.': 0o700, 'early-access.sqlite': 0o600 });
});
