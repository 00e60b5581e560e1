import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { freePort, serveHttp } from '@early-access-kit/testkit/http-server';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished } from 'vitest';
import { callSchedules } from './schedules.ts';

const CLI = path.resolve(import.meta.dirname, '../cli.ts');

/** Replaces firebase-tools: loads one function, and stops when requested. */
const FIREBASE = `#!${process.execPath}
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
writeFileSync('called-with', process.argv.slice(2).join(' '));
const server = createServer((request, response) => {
  response.end(JSON.stringify({ backends: [{ functionTriggers: [{ id: 'europe-west1-links' }] }] }));
});
server.listen(Number(process.env.FUNCTIONS_PORT), '127.0.0.1');
setInterval(() => require('node:fs').existsSync('stop') && process.exit(), 20);
`;

async function project() {
  const folder = tempFolder();
  const port = await freePort();
  const write = (name: string, content: object | string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  write('firebase.json', {
    functions: [{ source: 'functions', codebase: 'early-access' }],
    hosting: { public: 'dist', predeploy: 'npx --prefix functions early-access-firebase scripts dist' },
    emulators: { functions: { port }, hosting: { port: 5005 } },
  });
  write('functions/package.json', { scripts: { build: 'node build.cjs' } });
  write('functions/build.cjs', "require('node:fs').writeFileSync('built', '');");
  return { folder, port, write, read: (name: string) => readFileSync(path.join(folder, name), 'utf8') };
}

function run(folder: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [CLI, 'emulators'], { cwd: path.join(folder, 'functions'), env });
  onTestFinished(() => void child.kill());
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, result: async () => ({ code: await ended, out: await out, err: await err }) };
}

it('builds the functions, writes the dashboard, scripts and local settings, and prints when everything is served', async () => {
  const { folder, port, write, read } = await project();
  write('functions/.secret.local', 'SMTP_URL=smtp://localhost\n');
  write('bin/firebase', FIREBASE);
  chmodSync(path.join(folder, 'bin/firebase'), 0o755);
  const env = { ...process.env, FUNCTIONS_PORT: String(port), PATH: `${folder}/bin:${process.env.PATH}` };
  const { child, result } = run(folder, env);
  child.stdout.on('data', (chunk) => String(chunk).includes('Serving') && write('stop', ''));
  const { code, out } = await result();
  expect([code, out]).toEqual([0, expect.stringContaining('Serving    http://localhost:5005\n')]);
  expect(read('called-with')).toContain('emulators:start --project demo-early-access');
  for (const name of ['functions/built', 'dist/admin/index.html', 'dist/embed.js'])
    expect([name, existsSync(path.join(folder, name))]).toEqual([name, true]);
  expect(parseEnv(read('functions/.env.local'))).toMatchObject({ PUBLIC_URL: 'http://localhost:5005' });
  // Existing lines stay.
  expect(read('functions/.secret.local')).toBe('SMTP_URL=smtp://localhost\n');
});

it('says what to install, and in which folder to run it', async () => {
  const { folder } = await project();
  const node = path.dirname(process.execPath);
  const { code, err } = await run(folder, { PATH: `${node}:/usr/bin:/bin` }).result();
  expect([code, err]).toEqual([1, expect.stringContaining('npm install --global firebase-tools')]);
  const other = tempFolder();
  mkdirSync(path.join(other, 'functions'));
  expect(await run(other, process.env).result()).toMatchObject({ code: 1, err: expect.stringContaining('run init') });
});

it('calls the scheduled functions repeatedly, and no others, and stops after a round that took long', async () => {
  const called: string[] = [];
  const functionTriggers = [{ id: 'x-sweep-mails', schedule: {} }, { id: 'x-links' }];
  const twice = Promise.withResolvers<void>();
  const emulator = await serveHttp(async (request, response) => {
    if (request.method === 'POST') {
      called.push(request.url ?? '');
      // Longer than the interval.
      await setTimeout(20);
    }
    if (called.length >= 2) twice.resolve();
    response.end(JSON.stringify({ backends: [{ functionTriggers }] }));
  });
  onTestFinished(() => emulator.close());
  const schedules = callSchedules(emulator.origin, 'demo-x', 1);
  await twice.promise;
  await schedules.stop();
  const sweep = '/functions/projects/demo-x/triggers/x-sweep-mails-0';
  expect(called).toEqual([sweep, sweep]);
});
