import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../fixtures/child-server.ts';
import { COPY, filledFolder, openCopy, readContent } from '../fixtures/copied-data.ts';
import { postgresForFile } from '../fixtures/postgres.ts';
import { openData } from './data-folder.ts';

const postgres = postgresForFile();

describe('the command copy', () => {
  it('continues after it was killed, with all changes since', async () => {
    const DATA_DIR = await filledFolder(4_500);
    const url = await postgres().createDatabase();
    const env = { DATA_DIR, DATABASE_URL: url };
    for (const line of [/^(email_signups: 2000)/m, /^(email_signups: 4[1-9]\d\d)/m, /^(mails: 2000)/m]) {
      const interrupted = run(COPY, env);
      await interrupted.printedMatch('stderr', line);
      await interrupted.end('SIGKILL');
      const source = openData(DATA_DIR);
      await source.createSignup(signupOf({ email: `late-${line.source.length}@example.org` }));
      await source.erase('person-4@example.org');
      await source.erase('person-4400@example.org');
      source.close();
    }
    const { code, stdout, stderr } = await run(COPY, env).finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Resuming the interrupted copy\.$/m)]);
    expect(stdout).toMatch(/^email_signups +4502 rows/m);
    const source = openData(DATA_DIR);
    onTestFinished(() => source.close());
    expect(await readContent(await openCopy(url))).toEqual(await readContent(source));
  });

  it('copies what a running server writes meanwhile, and says that it does', async () => {
    const DATA_DIR = await filledFolder(3_000);
    const source = openData(DATA_DIR);
    onTestFinished(() => source.close());
    const url = await postgres().createDatabase();
    const copying = run(COPY, { DATA_DIR, DATABASE_URL: url });
    await copying.printedMatch('stderr', /^(email_signups: 2000)/m);
    await source.createSignup(signupOf({ email: 'meanwhile@example.org' }));
    await source.erase('person-10@example.org');
    const { code, stderr } = await copying.finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The file has changed since/m)]);
    expect(await readContent(await openCopy(url))).toEqual(await readContent(source));
  });

  it.each([
    [['copy'], {}, 2, /^early-access-server: usage: copy --from sqlite --to postgres\n$/],
    [COPY, {}, 1, /^early-access-server: DATABASE_URL must look like postgres:[^\n]*\n$/],
    [
      COPY,
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
      1,
      /^early-access-server: there is no [^\n]*sqlite; set DATA_DIR/,
    ],
  ])('says in one line what is wrong with %j %j', async (args, env, code, line) => {
    const finished = await run(args, { DATA_DIR: tempFolder(), ...env }).finished;
    expect([finished.code, finished.stderr]).toEqual([code, expect.stringMatching(line)]);
  });
});
