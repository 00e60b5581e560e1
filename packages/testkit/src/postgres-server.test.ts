import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startProcess } from './child-process.ts';
import { postgresFiles, startPostgres } from './postgres-server.ts';
import { tempFolder } from './temp-folder.ts';

/** Programs in this folder can be executed, unlike in the temporary folders of some machines. */
const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache');

/** A folder for the server's data and all other files that it writes. */
let temporary: string;

beforeEach(() => {
  temporary = tempFolder();
  vi.stubEnv('TMPDIR', temporary);
  return () => vi.unstubAllEnvs();
});

async function selectOne(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT 1 AS one');
  await client.end();
  return rows;
}

it('runs from a folder that other users cannot enter, even as root, and leaves nothing behind', async () => {
  // Created with mode 0700.
  const files = mkdtempSync(path.join(CACHE, 'postgres-'));
  onTestFinished(() => rmSync(files, { recursive: true }));
  await cp(postgresFiles(), files, { recursive: true, verbatimSymlinks: true });
  const server = await startPostgres({ files });
  onTestFinished(server.close);
  expect(await selectOne(await server.createDatabase())).toEqual([{ one: 1 }]);
  await server.close();
  expect(readdirSync(temporary)).toEqual([]);
});

it.each([
  { cause: 'a missing program', options: { files: '/nonexistent' }, reason: /\/nonexistent\/bin\/initdb/ },
  { cause: 'an unknown setting', options: { settings: { speed: 'high' } }, reason: /unrecognized .* "speed"/ },
])(
  'a start that fails because of $cause is reported immediately, and leaves nothing behind',
  async ({ options, reason }) => {
    await expect(startPostgres(options)).rejects.toThrow(reason);
    expect(readdirSync(temporary)).toEqual([]);
  },
);

it('stops when a process ends without closing it, and leaves nothing behind', async () => {
  const program = `
    import { startPostgres } from '${new URL('postgres-server.ts', import.meta.url)}';
    console.log(await (await startPostgres()).createDatabase());
    process.exit(3);`;
  const { PATH } = process.env;
  const child = startProcess([process.execPath, '--input-type=module', '--eval', program], {
    env: { PATH, TMPDIR: temporary },
  });
  expect(await child.finished).toMatchObject({ code: 3, stderr: '' });
  expect(readdirSync(temporary)).toEqual([]);
  await vi.waitFor(() => expect(selectOne(child.printed.stdout.trim())).rejects.toThrow(/ECONNREFUSED/));
});
