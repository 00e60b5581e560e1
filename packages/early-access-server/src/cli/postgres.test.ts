import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { run } from '../fixtures/child-server.ts';
import { postgresForFile } from '../fixtures/postgres.ts';

const postgres = postgresForFile();

describe('DATABASE_URL', () => {
  it('selects Postgres for the server and every command', async () => {
    const url = await postgres().createDatabase();
    const env = { DATA_DIR: tempFolder(), DATABASE_URL: url, PORT: '0' };
    const serving = run(['serve'], env);
    const address = await serving.printedMatch('stdout', /^Serving +(http:\S+)$/m);
    expect(serving.printed.stdout).toMatch(/^Data +Postgres at 127\.0\.0\.1:\d+\/\w+$/m);
    const response = await fetch(`${address}/api/signups`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signupOf({ email: 'ada@example.org' })),
    });
    expect(response.status).toBe(201);
    await serving.end('SIGTERM');
    const stdout = async (args: readonly string[]) => (await run(args, env).finished).stdout;
    expect(await stdout(['export'])).toContain('ada@example.org');
    expect(await stdout(['mail'])).toMatch(/^sent +1$|^queued +1$/m);
    expect(await stdout(['forget', 'ada@example.org'])).toMatch(/^Erased the signup/);
    expect(await stdout(['export'])).not.toContain('ada@example.org');
    expect((await run(['backup', 'x.sqlite'], env).finished).stderr).toMatch(
      /^early-access-server: [^\n]*pg_dump[^\n]*\n$/,
    );
  });

  it.each([
    ['another password', { password: 'wrong-secret' }, /refuses the user or the password/],
    ['another user', { username: 'someone-secret' }, /refuses the user/],
    ['another database', { pathname: '/nothing' }, /there is no such database/],
    ['a closed port', { port: '1' }, /nothing listens there \(ECONNREFUSED\)/],
  ])('with %s ends the start with one line that hides user and password', async (_, change, problem) => {
    const url = Object.assign(new URL(await postgres().createDatabase()), change);
    const { code, stdout, stderr } = await run(['serve'], { DATA_DIR: tempFolder(), DATABASE_URL: url.href, PORT: '0' })
      .finished;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^early-access-server: the database at 127\.0\.0\.1:\d+\/\w+ cannot be used: [^\n]+\n$/);
    expect(stderr).toMatch(problem);
    expect(stderr).not.toMatch(/secret|postgres:/);
  });

  it('of a database that its user may not change ends the start with one line', async () => {
    const url = new URL(await postgres().createDatabase());
    const admin = new pg.Client(url.href);
    await admin.connect();
    await admin.query("CREATE ROLE reader LOGIN PASSWORD 'secret'");
    await admin.end();
    [url.username, url.password] = ['reader', 'secret'];
    const { code, stderr } = await run(['export'], { DATA_DIR: tempFolder(), DATABASE_URL: url.href }).finished;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^early-access-server: [^\n]*its user lacks a privilege[^\n]*\n$/),
    ]);
  });
});
