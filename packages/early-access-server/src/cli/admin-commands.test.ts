import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { MAILBOX_FULL_REASON } from '../app/mail/mail-quota.ts';
import { EVERYONE } from '../app/people/people.ts';
import { runHere } from '../fixtures/run-command.ts';
import { claimNext } from '../fixtures/temp-store.ts';
import { dataPaths } from '../settings/config.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { deliver } from '../testing/harness.ts';
import { adminCommands } from './admin-commands.ts';
import { backup } from './backup.ts';
import { existingData } from './data-folder.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const FAILED = { state: 'failed', reason: '550 no such person' } as const;

it('shows which messages wait for their mailbox, which for the mail quota and which have failed', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  const DATA_DIR = tempFolder();
  const store = sqliteStore({ file: dataPaths(DATA_DIR).database, mailsPerHour: 3 });
  for (const tag of [1, 2, 3, 4]) await store.createSignup(signupOf({ email: `ada+${tag}@example.org` }));
  for (let message = 1; message <= 4; message += 1) {
    if (message < 4) await deliver(store, message === 3 ? FAILED : { state: 'sent' });
    else expect(await claimNext(store.mails)).toBeNull();
  }
  await store.createSignup(signupOf({ email: 'bob@example.org' }));
  store.close();
  const { code, stdout } = await runHere(adminCommands(existingData).mail, [], { DATA_DIR, MAILS_PER_HOUR: '3' });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'queued   2',
    'sending  0',
    'sent     2',
    'failed   1',
    'unknown  0',
    'failed   ada+3@example.org  welcome, attempts 1, 550 no such person',
    `queued   ada+4@example.org  welcome, attempts 0, next 2026-03-02T14:10:00.000Z, ${MAILBOX_FULL_REASON}`,
    'queued   bob@example.org  welcome, attempts 0, next 2026-03-01T15:00:00.000Z, the mail quota of this hour is used up',
    '',
  ]);
});

it('shows the state of the messages and resends one', async () => {
  const DATA_DIR = tempFolder();
  const store = sqliteStore({ file: dataPaths(DATA_DIR).database });
  for (const name of ['ada', 'bob']) await store.createSignup(signupOf({ email: `${name}@example.org` }));
  store.close();
  const mail = (...args: string[]) => runHere(adminCommands(existingData).mail, args, { DATA_DIR });
  expect((await mail()).stdout).toMatch(
    /^queued {3}2\nsending {2}0\nsent {5}0\nfailed {3}0\nunknown {2}0\nqueued {3}ada@example\.org {2}welcome, attempts 0/,
  );
  expect(await mail('resend', 'bob@example.org')).toMatchObject({ code: 0 });
  expect(await mail('resend', 'eve@example.org')).toMatchObject({
    code: 1,
    stdout: 'This address is not signed up.\n',
  });
});

it('create no database if they need an existing one', async () => {
  const DATA_DIR = tempFolder();
  const commands = adminCommands(existingData);
  for (const [command, ...args] of [
    [commands.export],
    [commands.mail],
    [commands.forget, 'me@example.org'],
    [backup, join(DATA_DIR, 'copy')],
  ] as const)
    await expect(runHere(command, args, { DATA_DIR })).rejects.toThrow('set DATA_DIR');
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

it('imports before the first start of the server, and only shows what it would do in a dry run', async () => {
  const [folder, DATA_DIR] = [tempFolder(), join(tempFolder(), 'new', 'data')];
  const path = join(folder, 'people.csv');
  writeFileSync(path, 'email\nada@example.org\n');
  const run = async (...args: string[]) =>
    (await runHere(adminCommands(existingData).import, [path, ...args], { DATA_DIR })).stdout.split('\n');
  expect(await run('--dry-run')).toContainEqual(expect.stringMatching(/^Would add 1\./));
  expect(existsSync(DATA_DIR)).toBe(false);
  const [created, ...lines] = await run();
  expect(created).toBe(`Created ${dataPaths(DATA_DIR).database}`);
  expect(lines).toContainEqual(expect.stringMatching(/^Added 1\./));
  expect(await run()).toContainEqual(expect.stringMatching(/^Added 0\. On the list already: 1\./));
});

it('imports and exports the fields that SIGNUP_FIELDS declares', async () => {
  const DATA_DIR = tempFolder();
  sqliteStore({ file: dataPaths(DATA_DIR).database }).close();
  const [path, SIGNUP_FIELDS] = [join(DATA_DIR, 'people.csv'), join(DATA_DIR, 'fields.json')];
  writeFileSync(path, 'email,company\nada@example.org,Acme\nbob@example.org,\n');
  const run = async (command: 'import' | 'export', args: string[], env: Record<string, string>) =>
    (await runHere(adminCommands(existingData)[command], args, { DATA_DIR, ...env })).stdout;
  writeFileSync(SIGNUP_FIELDS, '{"company":{"type":"text","label":"Company"}}');
  expect(await run('import', [path], { SIGNUP_FIELDS })).toMatch(
    /^Columns: email as email, company as fields\.company\. Ignored: none\.\nAdded 2\./,
  );
  expect(await run('export', [], { SIGNUP_FIELDS })).toMatch(
    /"company","other_fields","import_id","labels"\r\n.*,"Acme",,"[\w-]+",\r\n.*,,,"[\w-]+",\r\n$/,
  );
  // The field was removed from the declaration.
  expect(await run('export', [], {})).toMatch(
    /"other_fields","import_id","labels"\r\n.*,"{""company"":""Acme""}","[\w-]+",\r\n.*,,"[\w-]+",\r\n$/,
  );

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
    const { code, stdout } = await runHere(adminCommands(existingData).import, args, { DATA_DIR });
    return [code, stdout];
  }
  const columns = 'Columns: email as email. Ignored: none.\n';
  const problem = 'line 3: email must be a valid email address (nobody)\n';
  const lines = 'Repeated in the file: 0. Lines with a problem: 1.\n';
  const people = 'By state: subscribed 1. By source: import 1.\nWithout a signup date, at the end of the line: 1.\n';
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

/** Runs the import of a file in an empty data folder. */
async function importFile(content: string | Buffer) {
  const DATA_DIR = tempFolder();
  sqliteStore({ file: dataPaths(DATA_DIR).database }).close();
  const path = join(DATA_DIR, 'people.csv');
  writeFileSync(path, content);
  const folder = { DATA_DIR, problems: join(DATA_DIR, 'problems.csv') };
  async function run(...args: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = adminCommands(existingData).import({ args: [path, ...args], env: { DATA_DIR }, stdout, stderr });
    const failure = await code.then(
      () => null,
      (error: Error) => error.message.replace(path, 'people.csv'),
    );
    stdout.end();
    return { code: failure === null ? await code : failure, lines: (await text(stdout)).split('\n').filter(Boolean) };
  }
  return { ...folder, run };
}

it('asks for columns and the order of dates, and imports with the choices', async () => {
  const { run } = await importFile('Email,E-Mail,Phone,Joined on\na@x.io,ada@example.org,1,3/4/2026\n');
  expect(await run()).toEqual({
    code: 'people.csv cannot be imported: columns 1 (Email) and 2 (E-Mail) are both the email; choose one',
    lines: [expect.stringMatching(/^Columns: /), 'Choose columns with --column, such as --column email=2.'],
  });
  expect((await run('--column', 'what=2')).code).toContain('column must be a field and a column, such as email=Work');
  expect((await run('--column', 'email=5')).code).toContain('the file has no column "5"');
  expect((await run('--value', 'Phone=leave-out')).code).toContain('value must be a column, a value and what it means');
  expect((await run('--value', 'Fax:1=leave-out')).code).toContain('the file has no column for the value "Fax:1"');
  const choices = ['--column', 'email=e-mail', '--column', 'created_at=4'];
  const columns = 'Columns: E-Mail as email, Joined on as created_at. Ignored: Email, Phone.';
  expect(await run(...choices)).toEqual({
    code: expect.stringContaining(
      'cannot be imported: line 2 has 3/4/2026, which can be read two ways; choose day-first',
    ),
    lines: [columns, 'Choose how to read dates with --dates day-first or --dates month-first.'],
  });
  expect(await run(...choices, '--dates', 'day-first')).toEqual({
    code: 0,
    lines: [columns, expect.stringMatching(/^Added 1\./), 'By state: subscribed 1. By source: import 1.'],
  });
});

it('prints the values that have to be decided ready to paste, and stores nothing until they are', async () => {
  const { run, DATA_DIR } = await importFile(
    "Notes:\nEmail,Email Status,Created\na@x.io,active,2024-01-31\nb@x.io,it's over,2024-01-31\nc@x.io,,2024-01-31\n",
  );
  const asked = await run();
  expect(asked).toEqual({
    code: 'people.csv cannot be imported: column 2 (Email Status) may say who wants email, but some values are not recognized; choose what each value means',
    lines: [
      'Skipped above the header row: Notes:',
      'Columns: Email as email, Email Status as state, Created as created_at. Ignored: none.',
      'Decide for Email Status:',
      String.raw`  --value '2:it'\''s over=MEANING'  # it's over: 1, such as b@x.io`,
      "  --value '2:=MEANING'  # no value: 1, such as c@x.io",
      'MEANING is one of subscribed, pending, unsubscribed, bounced, leave-out, ignore.',
    ],
  });
  const store = sqliteStore({ file: dataPaths(DATA_DIR).database });
  expect((await store.people.count(EVERYONE)).count).toBe(0);
  expect((await run('--value', "2:it's over=unsubscribed")).code).toContain('may say who wants email');
  expect(await run('--value', "2:it's over=unsubscribed", '--value', 'Email Status:=ignore')).toEqual({
    code: 0,
    lines: [
      ...asked.lines.slice(0, 2),
      expect.stringMatching(/^Added 3\./),
      'By state: subscribed 2, unsubscribed 1. By source: import 3.',
      'Subscribed because a consent value is ignored: 1.',
    ],
  });
  expect(await store.admin.audit(9)).toMatchObject([{ action: 'ignore-consent', count: 1, session: 'command' }]);
  store.close();
});

it('prints nothing that controls a terminal, and takes what it prints', async () => {
  const { run } = await importFile('Email,Status\nada@example.org,"gone\u001b[2J\naway"\n');
  const { lines } = await run();
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  expect(lines).toContain("  --value '2:gone [2J away=MEANING'  # gone [2J away: 1, such as ada@example.org");
  expect((await run('--value', '2:gone [2J away=unsubscribed')).code).toBe(0);
});

it('writes all lines with a problem to a file, and prints the first hundred', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => `=nobody${index},2024-01-31\n`).join('');
  const { run, problems } = await importFile(`email,date\n${lines}ada@example.org,2024-13-31\n`);
  const { code, lines: printed } = await run('--dry-run', '--problems', problems);
  expect([code, printed.slice(2, 4), printed.at(-1)]).toEqual([
    1,
    ['line 2: contains a formula (=nobody0)', 'line 3: contains a formula (=nobody1)'],
    'Write all lines with a problem to a file with --problems.',
  ]);
  const csv = readFileSync(problems, 'utf8').trimEnd().split('\r\n');
  expect([csv.length, csv[0], csv[1], csv.at(-1)]).toEqual([
    122,
    '\ufeff"line","address","column","value","problem"',
    `"2","'=nobody0","email","'=nobody0","contains a formula"`,
    '"122","ada@example.org","date","2024-13-31","the date must look like 2026-01-31 or 2026-01-31T12:00:00Z"',
  ]);
  expect((await run('--problems', '/missing/problems.csv')).code).toMatch(/problems\.csv cannot be written: ENOENT/);
});
