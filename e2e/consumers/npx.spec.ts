import { globSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import type { Page } from '@playwright/test';
import { openDatabase } from '../support/database.ts';
import { signUpMany } from './support/load.ts';
import { installNode, installServer, type NpxServer, npxServer, runInstalled, startInstalled } from './support/npm.ts';
import { expect, openDashboardByPrintedLink, test } from './support/test.ts';

async function signUp(page: Page, email: string): Promise<void> {
  const form = page.locator('form[novalidate]');
  await form.getByLabel('Email address').fill(email);
  await form.getByRole('button').click();
  await expect(page.getByText("You're on the list!")).toBeVisible();
}

async function expectEmail(folder: string, email: string): Promise<void> {
  const mails = path.join(folder, 'data/mail');
  // While an email is being written, its file name starts with a dot.
  const texts = () =>
    Promise.all(globSync('*.eml', { cwd: mails }).map((name) => readFile(path.join(mails, name), 'utf8')));
  await expect.poll(async () => (await texts()).some((text) => text.includes(`To: ${email}`))).toBe(true);
}

test.describe('npx early-access-server', { tag: '@fast' }, () => {
  let folder: string;

  test.beforeAll(async ({ atTheEnd }) => {
    folder = await installServer();
    atTheEnd(() => rm(folder, { recursive: true, force: true }));
  });

  test.describe('without any settings', () => {
    let server: NpxServer;

    test.beforeAll(async () => {
      server = await npxServer(folder);
    });

    test.afterAll(async () => {
      expect(await server.interrupt()).toContain('"event":"stopped"');
    });

    test('a visitor signs up on the first page and gets an email', async ({ page, email }) => {
      await page.goto(server.origin);
      await signUp(page, email);
      await expectEmail(folder, email);
      const database = openDatabase(path.join(folder, 'data/early-access.sqlite'));
      const stored = await database.signup(email);
      await expect.poll(() => database.session(String(stored?.session_id))).toMatchObject({ browser: 'Chrome' });
      await database.close();
    });

    test('the dashboard opens through the link in the terminal', async ({ browser }) => {
      const page = await browser.newPage();
      await page.goto(server.origin);
      const dashboard = await page.getByRole('link', { name: 'Open the dashboard' }).getAttribute('href');
      await openDashboardByPrintedLink(page, `${server.origin}${dashboard}`, server.running);
      await page.close();
    });

    test('only the log is printed to standard error', () => {
      const lines = server.running.printed.stderr.split('\n').filter((line) => !/^({.*}|npm warn .*|)$/.test(line));
      expect(lines).toEqual([]);
    });
  });

  test('a page of another site signs visitors up after `init` and one line in .env', async ({ page, email }) => {
    expect(await runInstalled({ folder }, ['init'])).toMatchObject({ code: 0, stdout: 'Wrote    .env\n' });
    let html = '';
    const host = await serveHttp((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><link rel="icon" href="data:,">${html}`),
    );
    const file = path.join(folder, '.env');
    // It may contain passwords.
    expect((await stat(file)).mode & 0o077).toBe(0);
    const template = await readFile(file, 'utf8');
    await writeFile(file, template.replace(/^#ALLOWED_ORIGINS=.*$/m, `ALLOWED_ORIGINS=${host.origin}`));
    const server = await npxServer(folder);
    await page.goto(server.origin);
    html = (await page.locator('pre').textContent()) ?? '';
    await page.goto(host.origin);
    await signUp(page, email);
    await expectEmail(folder, email);
    await server.interrupt();
    await host.close();
    expect(await runInstalled({ folder }, ['init', '--docker'])).toMatchObject({
      code: 1,
      stdout: 'Exists   .env, which is not changed\nWrote    Dockerfile\nWrote    .dockerignore\n',
    });
  });
});

test('it runs on the oldest supported Node without warnings', async ({ atTheEnd }) => {
  const folder = await installServer();
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  const manifest = await readFile(path.join(folder, 'node_modules/early-access-server/package.json'), 'utf8');
  const { engines }: { engines: { node: string } } = JSON.parse(manifest);
  const node = await installNode(folder, `${engines.node.replace('>=', '')}.0`);
  const server = startInstalled({ folder, through: [node] }, [], {
    TRUST_PROXY: '1',
    ADMIN_EMAIL: 'admin@example.com',
  });
  const origin = await server.printedMatch('stdout', /^Serving +(http:\S+)$/m);
  // Enough signups to start the checkpoint thread.
  expect(await signUpMany(origin, 1_500)).toBe(1_500);
  expect((await fetch(`${origin}/admin`)).status).toBe(200);
  await server.end('SIGTERM');
  expect(server.printed.stderr.split('\n').filter((line) => !/^({.*}|)$/.test(line))).toEqual([]);
  const { stdout } = await runInstalled({ folder, through: [node] }, ['export']);
  expect(stdout.match(/@/g)?.length).toBe(1_500);
});
