import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_SERVER } from '@early-access-kit/testkit/built-server';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { readMemory } from '@early-access-kit/testkit/memory';
import { readField } from 'early-access-server/app';
import { expect, it } from 'vitest';
import { type Admin, signIn } from '../support/admin.ts';
import { readFile } from '../support/audit.ts';
import { startDeployment } from '../support/deployment.ts';

const LINES = rounds({ short: 2_000, long: 100_000 });
const KILLS = rounds({ short: 2, long: 20 });
/** The limit for the server's process. */
const MAX_MEGABYTES = 256;

const importFile = (admin: Admin, file: string | Blob, isDryRun: boolean) =>
  admin.post(`/import?dry-run=${Number(isDryRun)}`, file, 'text/csv');

const readEmails = (file: string): string[] =>
  readFile(file, (raw) => raw.prepare('SELECT email FROM email_signups ORDER BY id').all()).map(({ email }) =>
    String(email),
  );

/** Returns the report at the end of an import's response. */
function parseReport(lines: string): unknown {
  const last: unknown = JSON.parse(lines.trim().split('\n').at(-1) ?? '');
  expect(readField(last, 'type')).toBe('done');
  return readField(last, 'report');
}

/** Files of which nothing may be imported, and what the error says. */
const REFUSED: readonly [name: string, file: string, message: string][] = [
  [
    'a line of 10 MB',
    `email\nada@example.org\n${'x'.repeat(10_000_000)}@example.org\nbob@example.org\n`,
    'line 3: is longer than 40000 bytes',
  ],
  ['a quote that is never closed', 'email\nada@example.org\n"bob@example.org\n', 'line 3: a quote is not closed'],
  [
    '100,001 people',
    `email\n${Array.from({ length: 100_001 }, (_, index) => `p${index}@example.org\n`).join('')}`,
    'line 100002: there are more than 100000 people',
  ],
  ['21 MB', `email\n${`${' '.repeat(20_999)}\n`.repeat(1_000)}`, 'the file is larger than 20 MB'],
];

it('a file that cannot be imported changes nothing, and the error names its line', async () => {
  const deployment = await startDeployment();
  const server = await deployment.serve();
  const admin = await signIn(deployment, server);
  for (const [name, file, message] of REFUSED) {
    for (const isDryRun of [true, false]) {
      const response = await importFile(admin, file, isDryRun);
      expect([name, response.status, await response.text()]).toEqual([name, 400, expect.stringContaining(message)]);
    }
  }
  // The dry run of this one succeeds, so that the admin can choose a column.
  const twoAddresses = 'email,source,E-Mail\nada@example.org,fair,bob@example.org\n';
  const problem = 'columns 1 (email) and 3 (E-Mail) are both the email; choose one';
  expect(await (await importFile(admin, twoAddresses, true)).json()).toMatchObject({ problem });
  const refused = await importFile(admin, twoAddresses, false);
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(problem)]);
  expect(readEmails(deployment.file)).toEqual([]);
  const { most } = readMemory(server.pid);
  expect(most).toBeLessThan(MAX_MEGABYTES);
  report('import: people of refused files on the list', `0, ${REFUSED.length + 1} files`);
  report('import: memory of the server at its peak', `${Math.round(most)} MB`);
});

it('a line with a problem is skipped and named, and all others are imported', async () => {
  const deployment = await startDeployment();
  const admin = await signIn(deployment, await deployment.serve());
  const file = new Blob([
    'email,source\nada@example.org,fair\n',
    Uint8Array.of(0xc3, 0x28, 0xff),
    '@example.org,fair\n=cmd|calc@example.org,fair\nbob@example.org,=HYPERLINK("http://x.example")\n',
    'ada@example.org,again\n\0@example.org,fair\ncy@example.org,fair\n',
  ]);
  const problems = [
    { line: 3, problem: 'is not UTF-8; save the file as CSV UTF-8' },
    { line: 4, problem: 'contains a formula' },
    { line: 5, problem: 'contains a formula' },
    { line: 7, problem: 'contains a NUL character' },
  ];
  const counts = { added: 2, 'on-list': 0, repeated: 1, problem: 4 };
  expect(await (await importFile(admin, file, true)).json()).toMatchObject({ counts, problems });
  expect(readEmails(deployment.file)).toEqual([]);
  expect(parseReport(await (await importFile(admin, file, false)).text())).toMatchObject({ counts, problems });
  expect(readEmails(deployment.file)).toEqual(['ada@example.org', 'cy@example.org']);
  report('import: broken lines imported', `0 of ${problems.length}`);
});

/**
 * Reads an import's response until this many lines are done, and returns how many one transaction adds, the first count above 0.
 * Rejects if the response ends before.
 */
async function readProgress({ body }: Response, target: number): Promise<number> {
  let read = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read += chunk;
    const done = Array.from(read.matchAll(/"done":([1-9]\d*),/g), ([, count]) => Number(count));
    const [batch] = done;
    if (batch !== undefined && (done.at(-1) ?? 0) >= target) return batch;
  }
  throw new Error(`the response ended before ${target} lines were done: ${read.slice(-500)}`);
}

it(`kill -9 of the server or the command, ${KILLS} times during ${LINES} lines: no batch is half done, and the same file again continues`, async () => {
  const deployment = await startDeployment();
  const emails = Array.from({ length: LINES }, (_, index) => `p${index}@example.org`);
  const path = join(deployment.folder, 'people.csv');
  writeFileSync(path, emails.join('\n'));
  const server = await deployment.serve();
  const admin = await signIn(deployment, server);
  const importAgain = () => importFile(admin, emails.join('\n'), false);
  const startCommand = () =>
    startProcess([process.execPath, BUILT_SERVER, 'import', path], { env: { DATA_DIR: deployment.folder } });
  let batch = 1;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const target = Math.floor((kill * LINES) / (KILLS + 1));
    if (kill % 2 === 0) {
      const command = startCommand();
      await command.printedMatch('stderr', new RegExp(`^(${batch * Math.ceil(target / batch)}) of`, 'm'));
      await command.end('SIGKILL');
    } else {
      batch = await readProgress(await importAgain(), target);
      await server.kill();
      await server.start();
    }
    const stored = readEmails(deployment.file);
    expect(stored.length).toBeGreaterThanOrEqual(target);
    expect(stored.length % batch).toBe(0);
    expect(stored).toEqual(emails.slice(0, stored.length));
  }
  const before = readEmails(deployment.file).length;
  const counts = { added: LINES - before, 'on-list': before, repeated: 0, problem: 0 };
  expect(parseReport(await (await importAgain()).text())).toMatchObject({ counts });
  expect(readEmails(deployment.file)).toEqual(emails);
  const { code, stdout } = await startCommand().finished;
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Added 0. On the list already: ${LINES}.`)]);
  report('import: people on the list twice or not at all', `0 of ${LINES}, ${KILLS} kills`);
});
