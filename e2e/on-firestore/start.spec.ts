import { globSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import { expect, test } from '@playwright/test';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'packages/early-access-firebase/src/local/main.ts');

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'early-access-e2e-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/** Starts the program of `npm run start:firebase`, once everything is built. */
function start(more: Readonly<Record<string, string>> = {}) {
  const SITE_DIR = path.join(ROOT, 'site/dist-demo/client');
  const { PATH, FIRESTORE_EMULATOR_JAR } = process.env;
  const env = { PATH, FIRESTORE_EMULATOR_JAR, TMPDIR: folder, DATA_DIR: folder, SITE_DIR, PORT: '0', ...more };
  return startProcess([process.execPath, MAIN], { env });
}

/** Returns the working folders of running processes that are in this test's folder. */
function foldersInUse(): string[] {
  return globSync('/proc/[0-9]*/cwd').flatMap((link) => {
    try {
      const cwd = readlinkSync(link);
      return cwd.startsWith(folder) ? [cwd] : [];
    } catch {
      return [];
    }
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`start:firebase serves the site, prints sign-in links, and leaves nothing behind on ${signal}`, async () => {
    const running = start();
    const admin = running.printedMatch('stdout', /^Admin +(\S+)/m);
    const site = await running.printedMatch('stdout', /^Serving +(\S+)$/m);
    const servers = [site];
    for (const name of ['Firestore', 'Functions']) {
      servers.push(await running.printedMatch('stdout', new RegExp(`^${name} +(\\S+) \\(`, 'm')));
    }
    expect(await admin).toBe('admin@example.com');
    expect(running.printed.stdout).toMatch(/Firestore .*\(Google’s emulator; empty again at/);

    const headers = { origin: site, 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'admin@example.com' });
    expect((await fetch(`${site}/api/admin/sign-in`, { method: 'POST', headers, body })).status).toBe(202);
    const token = await running.printedMatch('stdout', /^Sign in +http:\S+\/admin#token=([\w-]{43})$/m);
    const opened = await fetch(`${site}/api/admin/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ token }),
    });
    expect(opened.headers.get('set-cookie')).toContain('__session=');
    const people = await fetch(`${site}/admin/people`);
    expect([people.status, await people.text()]).toEqual([200, await (await fetch(`${site}/admin/`)).text()]);
    const mails = path.join(folder, 'firebase-mail');
    const modes = readdirSync(mails).map((file) => statSync(path.join(mails, file)).mode & 0o777);
    expect(modes).toEqual([0o600]);
    expect(foldersInUse().length).toBeGreaterThan(1);

    running.process.kill(signal);
    expect(await running.finished).toMatchObject({ code: 0, signal: null });
    expect(foldersInUse()).toEqual([]);
    for (const server of servers) await expect(fetch(server)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['firebase-mail']);
  });
}

test('start:firebase names the settings of the ports if one is in use, and exits', async () => {
  const other = await serveHttp(() => {});
  const { code, stderr } = await start({ PORT: new URL(other.origin).port }).finished;
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('PORT, FIRESTORE_PORT and FUNCTIONS_PORT choose other ports.'),
  ]);
  await other.close();
});
