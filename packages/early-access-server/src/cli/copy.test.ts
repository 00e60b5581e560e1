import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COPY, filledFolder, openCopy, readContent } from '../fixtures/copied-data.ts';
import { postgresForFile } from '../fixtures/postgres.ts';
import { runCommand } from './command.ts';
import { copy } from './copy.ts';
import { openData } from './data-folder.ts';

const postgres = postgresForFile();

/** Runs the command in this process, so that mutation tests reach it. */
async function runCopy(url: string, folder: string) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommand(
    { copy },
    COPY,
    { env: { DATA_DIR: folder, DATABASE_URL: url }, stdout, stderr },
    'early-access-server',
  );
  return { code, stdout: await text(stdout.end()), stderr: await text(stderr.end()) };
}

describe('copy', () => {
  it('makes a store that shows the same and continues like its source', async () => {
    const DATA_DIR = await filledFolder(60);
    const url = await postgres().createDatabase();
    const { code, stdout, stderr } = await runCopy(url, DATA_DIR);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^email_signups: 61 of 61$/m)]);
    expect(stdout).toMatch(/^email_signups +61 rows {2}[0-9a-f]{32}$/m);
    expect(stdout).toMatch(/All counts and checksums match\.\n$/);
    const source = openData(DATA_DIR);
    onTestFinished(() => source.close());
    const target = await openCopy(url);
    expect(await readContent(target)).toEqual(await readContent(source));
    expect(await target.createSignup(signupOf({ email: 'person-1@example.org' }))).toBe('duplicate');
    expect(await target.createSignup(signupOf({ email: 'new@example.org' }))).toBe('created');
    for (const store of [source, target]) await store.erase('person-4@example.org');
    await source.createSignup(signupOf({ email: 'new@example.org' }));
    expect((await readContent(target)).filtered).toEqual((await readContent(source)).filtered);
  });

  it('refuses a database with other data, and one that it has filled before', async () => {
    const [DATA_DIR, other] = [await filledFolder(3), await filledFolder(3)];
    const [used, url] = [await postgres().createDatabase(), await postgres().createDatabase()];
    await (await openCopy(used)).createSignup(signupOf());
    const refusal = async (target: string, folder = DATA_DIR) => {
      const { code, stderr } = await runCopy(target, folder);
      return [code, stderr];
    };
    const otherData =
      /^early-access-server: the database at 127\.0\.0\.1:\d+\/\w+ holds other data; copy to an empty one\n$/;
    expect(await refusal(used)).toEqual([1, expect.stringMatching(otherData)]);
    expect(await refusal(url)).toEqual([0, expect.any(String)]);
    expect(await refusal(url)).toEqual([1, expect.stringMatching(/^[^\n]*was copied from this file before[^\n]*\n$/)]);
    expect(await refusal(url, other)).toEqual([1, expect.stringMatching(otherData)]);
  });
});
