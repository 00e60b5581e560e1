import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { getPort } from '@early-access-kit/testkit/http-server';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HEAP_LIMITS } from './cli/node-runtime.ts';
import { run, startChild } from './fixtures/child-server.ts';
import { until } from './fixtures/mail-harness.ts';

const postJson = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('the command line', () => {
  it('prints the OpenAPI document of the server with its settings', async () => {
    const invites = { INVITE_URL: 'https://product.example', INVITE_KEY: 'k'.repeat(32) };
    const [plain, inviting] = await Promise.all([run(['openapi'], {}).finished, run(['openapi'], invites).finished]);
    expect([plain.code, inviting.code]).toEqual([0, 0]);
    expect(JSON.parse(plain.stdout)).toMatchObject({ openapi: '3.1.0', paths: { '/api/signups': { post: {} } } });
    expect(plain.stdout).not.toContain('/api/invites/redeem');
    expect(inviting.stdout).toContain('/api/invites/redeem');
  });

  it('prints help', async () => {
    const { code, stdout } = await run(['--help'], {}).finished;
    expect(code).toBe(0);
    for (const word of [
      'serve',
      'export',
      'forget',
      'backup',
      'restore',
      'mail resend',
      'SMTP_URL',
      'RETENTION_DAYS',
    ]) {
      expect(stdout).toContain(word);
    }
  });

  it.each(['--version', '-v'])('prints its version for %s', async (flag) => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await run([flag], {}).finished).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['sreve'], /^early-access-server: unknown command "sreve"; --help lists the commands\n$/],
    [['forget', 'nobody'], /^early-access-server: usage: forget <email>, and "nobody" is not an email address\n$/],
    [['mail', 'resend'], /^early-access-server: usage: mail, or mail resend <email>\n$/],
    [['serve', 'now'], /^early-access-server: usage: serve\n$/],
  ])('rejects %j in one line and exits with 2', async (args, line) => {
    const { code, stdout, stderr } = await run(args, {}).finished;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
  });

  it('ends with one line on an old Node, before anything else is loaded', async () => {
    const preload = join(tempFolder(), 'old-node.cjs');
    writeFileSync(
      preload,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.5' } });",
    );
    const { code, stdout, stderr } = await run(['serve'], { NODE_OPTIONS: `--require ${preload}`, PORT: '0' }).finished;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^early-access-server: needs Node \d+\.\d+ or newer, but runs on 20\.19\.5; [^\n]+\n$/);
  });

  it.skipIf(process.platform === 'win32')(
    'serves in the same process with a limited heap, unless it has limits',
    async () => {
      const folder = tempFolder();
      const preload = join(folder, 'flags.cjs');
      const flags = join(folder, 'flags');
      writeFileSync(
        preload,
        `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(flags)}, [process.pid, ...process.execArgv].join(' ')));`,
      );
      for (const [own, expected] of [
        ['', HEAP_LIMITS],
        ['--max-old-space-size=300', []],
      ] as const) {
        const server = await startChild({ DATA_DIR: folder, NODE_OPTIONS: `--require ${preload} ${own}` });
        await server.end('SIGTERM');
        expect(readFileSync(flags, 'utf8')).toBe([server.process.pid, ...expected].join(' '));
      }
    },
  );

  it('names an unusable setting in one line and exits with 1', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await once(blocker, 'listening');
    const taken = String(getPort(blocker));
    const file = join(tempFolder(), 'a-file');
    writeFileSync(file, 'not a folder');
    const text = tempFolder();
    writeFileSync(join(text, 'early-access.sqlite'), 'This is no database, however long it may become. '.repeat(50));
    const site = tempFolder();
    mkdirSync(join(site, 'client'));
    writeFileSync(join(site, 'client', 'index.html'), '<title>Home</title>');
    writeFileSync(join(site, 'policy.json'), '{"styleHashes": ["*"]}');
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORT: 'http' }, /PORT must be a whole number/],
      [{ PORT: taken }, /PORT \d+ is taken on 127\.0\.0\.1: stop the program that has it or set another PORT/],
      [{ HOST: '203.0.113.77', ADMIN_EMAIL: 'a@b.c' }, /HOST 203\.0\.113\.77 cannot be listened on/],
      [{ DATA_DIR: file }, /DATA_DIR .*a-file cannot be written/],
      [{ DATA_DIR: text }, /the database .* cannot be opened: file is not a database/],
      [
        { SITE_DIR: join(site, 'client') },
        /SITE_DIR cannot be served: .*policy\.json: styleHashes contains something that is not a hash/,
      ],
    ];
    await Promise.all(
      cases.map(async ([env, message]) => {
        const { code, stdout, stderr } = await run(['serve'], { PORT: '0', DATA_DIR: tempFolder(), ...env }).finished;
        expect([env, code, stdout]).toEqual([env, 1, '']);
        expect(stderr).toMatch(/^early-access-server: [^\n]+\n$/);
        expect(stderr).toMatch(message);
      }),
    );
  });

  it('prints the sign-in link on a local run without SMTP, and writes it to the mail folder', async () => {
    const folder = tempFolder();
    const server = await startChild({ DATA_DIR: folder });
    const post = (path: string, body: unknown) => postJson(`${server.url}/api/admin${path}`, body);
    expect((await post('/sign-in', { email: 'admin@example.com' })).status).toBe(202);
    const token = await server.printedMatch('stdout', /^Sign-in +http:\/\/localhost:\d+\/admin#token=([\w-]{43})$/m);
    await until(() => expect(readdirSync(join(folder, 'mail'))).toHaveLength(1));
    expect((await post('/session', { token })).status).toBe(204);
    expect((await post('/session', { token })).status).toBe(401);
  });

  it('signs up by the curl of the README, as it is pasted', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [command = ''] = /(?<=^```sh\n)curl .*$/m.exec(readme) ?? [];
    const { url } = await startChild({ DATA_DIR: tempFolder() });
    const pasted = await startProcess(['sh', '-c', command.replace('http://localhost:4173', url)], {
      env: { PATH: process.env.PATH },
    }).finished;
    expect([pasted.code, pasted.stdout]).toEqual([0, '{"result":"created"}']);
  });

  it('prints the link to confirm on a local run, names the file of the email, and where the dashboard is', async () => {
    const server = await startChild({ DATA_DIR: tempFolder(), CONFIRM: 'on' });
    const post = (path: string, body: unknown) => postJson(`${server.url}/api/${path}`, body);
    expect(await server.printedMatch('stdout', /^Admin +(\S+), or Ctrl\+Alt\+A /m)).toBe(`${server.url}/admin`);
    expect((await post('signups', signupOf({ email: 'ada@example.org' }))).status).toBe(201);
    const link = await server.printedMatch('stdout', /^Confirm +(\S+)$/m);
    const file = await server.printedMatch('stderr', /"event":"mail-sent".*"file":"([^"]+\.eml)"/);
    expect(readFileSync(file, 'utf8')).toContain(`\r\n${link}\r\n`);
    const [, token] = link.split('/confirm#token=');
    const confirmed = await post('confirm', { token });
    expect([confirmed.status, await confirmed.json()]).toEqual([200, { result: 'confirmed' }]);
  });

  it('prints no link to confirm if the server is reached through a proxy', async () => {
    const server = await startChild({ DATA_DIR: tempFolder(), CONFIRM: 'on', TRUST_PROXY: '1' });
    await postJson(`${server.url}/api/signups`, signupOf());
    await server.printedMatch('stderr', /"event":"(mail-sent)"/);
    await server.end('SIGTERM');
    expect(server.printed.stdout + server.printed.stderr).not.toMatch(/token=|^Confirm/m);
  });

  it.each([
    ['behind a proxy', { TRUST_PROXY: '1' }],
    ['at a public address', { PUBLIC_URL: 'https://www.example.com' }],
    ['on every address of the machine', { HOST: '0.0.0.0' }],
  ])('prints no sign-in link %s, and says at the start that no one can sign in', async (_, env) => {
    const folder = tempFolder();
    const server = await startChild({ DATA_DIR: folder, ADMIN_EMAIL: 'admin@example.com', ...env });
    await server.printedMatch(
      'stdout',
      /^Admin .*; no one can sign in to the dashboard, because SMTP_URL is not set$/m,
    );
    await server.printedMatch('stderr', /"event":"sign-in-off","reason":"(SMTP_URL is not set, so [^"]*)"/);
    const { port } = new URL(server.url);
    const asked = await postJson(`http://127.0.0.1:${port}/api/admin/sign-in`, { email: 'admin@example.com' });
    expect(asked.status).toBe(202);
    await until(() => expect(readdirSync(join(folder, 'mail'))).toHaveLength(1));
    await server.end('SIGTERM');
    expect(server.printed.stdout + server.printed.stderr).not.toMatch(/token=|^Sign-in/m);
  });

  it('creates files that only its own user can read', async () => {
    const DATA_DIR = join(tempFolder(), 'new', 'data');
    mkdirSync(join(DATA_DIR, '..'));
    const server = await startChild({ DATA_DIR });
    expect(server.printed.stdout).toContain(join(DATA_DIR, 'early-access.sqlite'));
    expect(server.printed.stdout).toContain(join(DATA_DIR, 'mail'));
    for (const path of [DATA_DIR, join(DATA_DIR, 'early-access.sqlite')]) expect(statSync(path).mode & 0o077).toBe(0);
    server.process.kill('SIGINT');
    expect((await server.finished).code).toBe(0);
  });
});
