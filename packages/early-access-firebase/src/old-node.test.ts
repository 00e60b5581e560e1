import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const CLI = path.join(import.meta.dirname, 'cli.ts');

it.each(['20.19.1', '22.15.1'])('prints that Node %s is too old, in one line', async (version) => {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const [error, stderr] = await new Promise<[Error | null, string]>((resolve) =>
    execFile(process.execPath, ['--import', pretend, CLI, 'init'], (failure, _, text) => resolve([failure, text])),
  );
  expect(error).toMatchObject({ code: 1 });
  expect(stderr).toBe(
    `early-access-firebase: needs Node 22.16 or newer, but runs on ${version}; get it from https://nodejs.org\n`,
  );
});

it('checks the version before it imports anything that an old Node cannot load', () => {
  const imported = [...readFileSync(CLI, 'utf8').matchAll(/^import .* from '([^']*)'/gm)].map(([, name]) => name);
  expect(imported).toEqual(['../package.json']);
});
