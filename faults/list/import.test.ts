import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_SERVER } from '@early-access-kit/testkit/built-server';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { readField } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { signIn } from '../support/admin.ts';
import { readFile } from '../support/audit.ts';
import { startDeployment } from '../support/deployment.ts';

const LINES = rounds({ short: 2_000, long: 100_000 });
const KILLS = rounds({ short: 2, long: 20 });

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

/**
 * Reads an import's response until this many lines are done, and returns the batch size of a transaction, which is the
 * first count above 0. Rejects if the response ends earlier.
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
  const importAgain = () => admin.post('/import?dry-run=0', emails.join('\n'), 'text/csv');
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
