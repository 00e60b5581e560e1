import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { runCommand } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { writeDashboard, writeScripts } from './dashboard-command.ts';

async function write(folder: string, command: 'dashboard' | 'scripts' = 'dashboard') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const context = { env: {}, stdout, stderr };
  const commands = { dashboard: writeDashboard, scripts: writeScripts };
  const code = await runCommand(commands, [command, folder], context, 'early-access-firebase');
  stderr.end();
  return { code, err: await text(stderr) };
}

it('replaces the files of an earlier version', async () => {
  const folder = path.join(tempFolder(), 'admin');
  expect(await write(folder)).toEqual({ code: 0, err: '' });
  const files = globSync('**', { cwd: folder });
  expect(files).toContain('index.html');
  const old = path.join(folder, 'assets/index-0ld.js');
  writeFileSync(old, '');
  await write(folder);
  expect(existsSync(old)).toBe(false);
  expect(globSync('**', { cwd: folder })).toEqual(files);
});

it('refuses to write into a folder with another page, and deletes nothing there', async () => {
  const folder = tempFolder();
  const [page, asset] = [path.join(folder, 'index.html'), path.join(folder, 'assets/own.js')];
  mkdirSync(path.dirname(asset));
  for (const file of [page, asset]) writeFileSync(file, 'mine');
  expect(await write(folder)).toMatchObject({ code: 1, err: expect.stringContaining('is a page of your own') });
  expect([page, asset].every(existsSync)).toBe(true);
});

it('writes the scripts under the server’s names, and those that they load', async () => {
  const folder = path.join(tempFolder(), 'public');
  expect(await write(folder, 'scripts')).toEqual({ code: 0, err: '' });
  const files = globSync('**', { cwd: folder });
  expect(files).toEqual(expect.arrayContaining(['embed.js', 'embed-count.js', 'embed-share.js']));
  for (const part of ['admin', 'texts-de'])
    expect(files).toContainEqual(expect.stringMatching(new RegExp(`^embed-${part}-[\\d.]+\\.js$`)));
  expect(readFileSync(path.join(folder, 'embed.js'), 'utf8')).toContain('early-access-kit');
});

it('prints the usage of each', async () => {
  expect(await write('--help', 'scripts')).toEqual({
    code: 2,
    err: 'early-access-firebase: usage: scripts <folder>\n',
  });
});
