import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const BIN = path.resolve(import.meta.dirname, '../dist/bin.js');

/** Runs the built program as if under a different version of Node.js. */
function runUnder(version: string) {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, ['--import', pretend, BIN, '--version'], (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test.each(['18.20.0', '20.19.1', '22.15.1'])('prints that Node %s is too old, in one line', async (version) => {
  expect(await runUnder(version)).toEqual({
    code: 1,
    stdout: '',
    stderr: `create-early-access needs Node 22.16 or newer, but runs on ${version}; get it from https://nodejs.org\n`,
  });
});

test('requires the same Node version as the project’s server', () => {
  const [own, server] = ['..', '../../early-access-server'].map((folder) =>
    JSON.parse(readFileSync(path.resolve(import.meta.dirname, folder, 'package.json'), 'utf8')),
  );
  expect(own.engines).toEqual({ node: '>=22.16' });
  expect(own.engines).toEqual(server.engines);
});

test.each(['22.16.0', '24.0.0', '26.1.0'])('runs under Node %s', async (version) => {
  expect(await runUnder(version)).toMatchObject({ code: 0, stderr: '' });
});
