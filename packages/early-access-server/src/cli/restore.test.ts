import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';
import { runHere } from '../fixtures/run-command.ts';
import { openData } from './data-folder.ts';
import { restore } from './restore.ts';

const run = (args: readonly string[], env: Readonly<Record<string, string>>) => runHere(restore, args, env);

/** A data folder with these people on the list, and a backup of it. */
async function backUp(...emails: readonly string[]) {
  const DATA_DIR = tempFolder();
  const store = openData(DATA_DIR);
  for (const email of emails) await store.createSignup(signupOf({ email }));
  const backup = join(DATA_DIR, 'copy.sqlite');
  await store.backup(backup);
  store.close();
  return { DATA_DIR, backup };
}

function listEmails(DATA_DIR: string): readonly string[] {
  const store = openData(DATA_DIR);
  const emails = [...store.signups()].map(({ email }) => email);
  store.close();
  return emails;
}

it('restores into a new folder, and names the emails that will be sent', async () => {
  const { backup } = await backUp('ada@example.org', 'bob@example.org');
  const DATA_DIR = join(tempFolder(), 'data');
  const database = join(DATA_DIR, 'early-access.sqlite');
  expect(await run([backup], { DATA_DIR })).toEqual({
    code: 0,
    stdout: `Restored ${database} (signups: 2)\n`,
    stderr: expect.stringMatching(/^Emails waiting in it: 2\. /),
  });
  expect(readdirSync(DATA_DIR)).toEqual(['early-access.sqlite']);
  expect(listEmails(DATA_DIR)).toEqual(['ada@example.org', 'bob@example.org']);
});

it('replaces a database that has no data, and one that has only with --replace', async () => {
  const { backup } = await backUp('ada@example.org');
  const DATA_DIR = tempFolder();
  openData(DATA_DIR).close();
  expect(await run([backup], { DATA_DIR })).toMatchObject({ code: 0 });
  const other = await backUp('bob@example.org');
  await expect(run([backup], other)).rejects.toThrow(
    / has data \(signups: 1, sessions: 0\); .* add --replace to replace it$/,
  );
  expect(listEmails(other.DATA_DIR)).toEqual(['bob@example.org']);
  expect(await run([backup, '--replace'], other)).toMatchObject({ code: 0 });
  expect(listEmails(other.DATA_DIR)).toEqual(['ada@example.org']);
});

it('never replaces a database that another program has open', async () => {
  const [{ backup }, { DATA_DIR }] = [await backUp('ada@example.org'), await backUp('bob@example.org')];
  const store = openData(DATA_DIR);
  await expect(run([backup, '--replace'], { DATA_DIR })).rejects.toThrow('is in use; stop the server, then restore');
  await store.createSignup(signupOf({ email: 'eve@example.org' }));
  store.close();
  expect(listEmails(DATA_DIR)).toEqual(['bob@example.org', 'eve@example.org']);
});

it('replaces a damaged database and the WAL beside it', async () => {
  const { backup } = await backUp('ada@example.org');
  const DATA_DIR = tempFolder();
  const database = join(DATA_DIR, 'early-access.sqlite');
  for (const ending of ['', '-wal', '-shm']) writeFileSync(database + ending, 'no database at all '.repeat(100));
  await expect(run([backup], { DATA_DIR })).rejects.toThrow('cannot be read; ');
  expect(await run([backup, '--replace'], { DATA_DIR })).toMatchObject({ code: 0 });
  expect(listEmails(DATA_DIR)).toEqual(['ada@example.org']);
});

it.each([
  ['is missing', null, 'there is no such file'],
  ['is no database', 'a letter '.repeat(200), 'file is not a database'],
  ['is empty', '', 'it is not a database of early-access-server'],
])('changes nothing if the backup %s', async (_, content, reason) => {
  const DATA_DIR = tempFolder();
  const backup = join(tempFolder(), 'backup.sqlite');
  if (content !== null) writeFileSync(backup, content);
  await expect(run([backup], { DATA_DIR })).rejects.toThrow(`the backup ${backup} cannot be restored: ${reason}`);
  expect(readdirSync(DATA_DIR)).toEqual([]);
  expect(existsSync(backup)).toBe(content !== null);
});

it('refers to the tools of Postgres if that is the database', async () => {
  const { backup } = await backUp();
  const env = { DATA_DIR: tempFolder(), DATABASE_URL: 'postgres://u:p@db.example.com/list' };
  await expect(run([backup], env)).rejects.toThrow('psql');
});
