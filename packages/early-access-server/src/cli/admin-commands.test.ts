import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { MAILBOX_FULL_REASON } from '../app/mail/mail-quota.ts';
import { claimNext } from '../fixtures/temp-store.ts';
import { dataPaths } from '../settings/config.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { adminCommands } from './admin-commands.ts';
import { existingData } from './data-folder.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);

it('shows which messages wait for their mailbox and which for the mail quota', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  const DATA_DIR = tempFolder();
  const store = sqliteStore({ file: dataPaths(DATA_DIR).database, mailsPerHour: 3 });
  for (const tag of [1, 2, 3, 4]) await store.createSignup(signupOf({ email: `ada+${tag}@example.org` }));
  for (let message = 1; message <= 4; message += 1) {
    const claimed = await claimNext(store.mails);
    if (claimed) await store.mails.recordOutcome(claimed, { state: 'sent' });
  }
  await store.createSignup(signupOf({ email: 'bob@example.org' }));
  store.close();
  const stdout = new PassThrough();
  expect(
    await adminCommands(existingData).mail({
      args: [],
      env: { DATA_DIR, MAILS_PER_HOUR: '3' },
      stdout,
      stderr: stdout,
    }),
  ).toBe(0);
  stdout.end();
  expect((await text(stdout)).split('\n')).toEqual([
    'queued   2',
    'sending  0',
    'sent     3',
    'failed   0',
    'unknown  0',
    `queued   ada+4@example.org  welcome, attempts 0, next 2026-03-02T14:10:00.000Z, ${MAILBOX_FULL_REASON}`,
    'queued   bob@example.org  welcome, attempts 0, next 2026-03-01T15:00:00.000Z, the mail quota of this hour is used up',
    '',
  ]);
});

it('imports and exports the fields that SIGNUP_FIELDS declares', async () => {
  const DATA_DIR = tempFolder();
  sqliteStore({ file: dataPaths(DATA_DIR).database }).close();
  const [path, SIGNUP_FIELDS] = [join(DATA_DIR, 'people.csv'), join(DATA_DIR, 'fields.json')];
  writeFileSync(path, 'email,company\nada@example.org,Acme\nbob@example.org,\n');
  async function run(command: 'import' | 'export', args: string[], env: Record<string, string>) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    await adminCommands(existingData)[command]({ args, env: { DATA_DIR, ...env }, stdout, stderr });
    stdout.end();
    return text(stdout);
  }
  writeFileSync(SIGNUP_FIELDS, '{"company":{"type":"text","label":"Company"}}');
  expect(await run('import', [path], { SIGNUP_FIELDS })).toMatch(
    /^Columns: email as email, company as fields\.company\. Ignored: none\.\nAdded 2\./,
  );
  expect(await run('export', [], { SIGNUP_FIELDS })).toMatch(/"company","other_fields"\r\n.*,"Acme",\r\n.*,,\r\n$/);
  // The field was removed from the declaration.
  expect(await run('export', [], {})).toMatch(/"other_fields"\r\n.*,"{""company"":""Acme""}"\r\n.*,\r\n$/);

  writeFileSync(SIGNUP_FIELDS, '{"company":{"type":"text"}}');
  await expect(run('export', [], { SIGNUP_FIELDS })).rejects.toThrow(
    `SIGNUP_FIELDS: ${SIGNUP_FIELDS}: fields.company: label must be a text`,
  );
});

it('imports people from a file, after a dry run if asked', async () => {
  const DATA_DIR = tempFolder();
  sqliteStore({ file: dataPaths(DATA_DIR).database }).close();
  const path = join(DATA_DIR, 'people.csv');
  writeFileSync(path, 'email\nada@example.org\nnobody\n');
  async function run(...args: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await adminCommands(existingData).import({ args, env: { DATA_DIR }, stdout, stderr });
    stdout.end();
    return [code, await text(stdout)];
  }
  const columns = 'Columns: email as email. Ignored: none.\n';
  const problem = 'line 3: email must be a valid email address\n';
  const lines = 'Repeated in the file: 0. Lines with a problem: 1.\n';
  const people = 'By state: subscribed 1. By source: import 1.\n';
  expect(await run(path, '--dry-run')).toEqual([
    1,
    `${columns}Would add 1. On the list already: 0. ${lines}${people}${problem}`,
  ]);
  expect(await run(path)).toEqual([1, `${columns}Added 1. On the list already: 0. ${lines}${people}${problem}`]);
  expect(await run('--welcome', path)).toEqual([1, `${columns}Added 0. On the list already: 1. ${lines}${problem}`]);
  for (const wrong of [['--dry-run'], [path, path], [path, '--what'], [path, '--dates', 'yes']]) {
    await expect(run(...wrong)).rejects.toThrow('usage: import <file> [--dry-run] [--welcome]');
  }
  await expect(run(join(DATA_DIR, 'missing.csv'))).rejects.toThrow(/missing\.csv cannot be imported: ENOENT/);
});

it('asks for columns and the order of dates, and imports with the choices', async () => {
  const DATA_DIR = tempFolder();
  sqliteStore({ file: dataPaths(DATA_DIR).database }).close();
  const path = join(DATA_DIR, 'people.csv');
  writeFileSync(path, 'Email,E-Mail,Phone,Joined on\na@x.io,ada@example.org,1,3/4/2026\n');
  async function run(...args: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await adminCommands(existingData).import({ args: [path, ...args], env: { DATA_DIR }, stdout, stderr });
    stdout.end();
    return [code, (await text(stdout)).split('\n').filter(Boolean)];
  }
  await expect(run()).rejects.toThrow(
    'cannot be imported: columns 1 and 2 are both the email; choose one, such as --column email=2',
  );
  await expect(run('--column', 'what=2')).rejects.toThrow('column must be a field and a column, such as email=Work');
  await expect(run('--column', 'email=5')).rejects.toThrow('the file has no column "5"');
  const choices = ['--column', 'email=e-mail', '--column', 'created_at=4'];
  const columns = 'Columns: E-Mail as email, Joined on as created_at. Ignored: Email, Phone.';
  expect(await run(...choices)).toEqual([
    1,
    [
      columns,
      'Added 0. On the list already: 0. Repeated in the file: 0. Lines with a problem: 1.',
      expect.stringMatching(/^line 2: the date can be read two ways/),
      'Say how to read dates with --dates day-first or --dates month-first.',
    ],
  ]);
  expect(await run(...choices, '--dates', 'day-first')).toEqual([
    0,
    [columns, expect.stringMatching(/^Added 1\./), 'By state: subscribed 1. By source: import 1.'],
  ]);
});
