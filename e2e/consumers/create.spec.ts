import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Running, startProcess } from '@early-access-kit/testkit/child-process';
import { startHostProxy } from '@early-access-kit/testkit/host-proxy';
import { freePort, serveHttp } from '@early-access-kit/testkit/http-server';
import { startPostgres } from '@early-access-kit/testkit/postgres-server';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { ADMIN_EMAIL, MAIL_FROM } from '../support/backend.ts';
import { hearComplaints } from '../support/complaints.ts';
import { openDatabase } from '../support/database.ts';
import { type CreatedProject, createProject } from './support/create-project.ts';
import { expect, expectStyled, openDashboardByPrintedLink, signUp, test } from './support/test.ts';

/** Maximum time from an empty folder to a stored signup, including the installation. */
const LIMIT_SECONDS = 180;
/** The public host name of a project in production. */
const HOST = 'early.example.com';

/** `address` and `served` match the output when it is ready, in development and after a build. */
const CHOICES = [
  { framework: 'vite', address: /Local: +(http:\S+)\//, served: /Serving +(http:\S+)/, tag: '@fast' },
  { framework: 'html', address: /Serving +(http:\S+)/, served: /Serving +(http:\S+)/, tag: '@fast' },
  { framework: 'next', address: /Local: +(http:\S+)/, served: /Local: +(http:\S+)/, tag: '@complete' },
  { framework: 'astro', address: /Local +(http:\S+)\//, served: /listening on (http:\S+)/i, tag: '@complete' },
] as const;

for (const { framework, address, served, tag } of CHOICES) {
  const store = 'sqlite';
  test.describe(`npm create early-access: ${framework}, ${store}`, { tag }, () => {
    let env: NodeJS.ProcessEnv;
    let project: string;
    let startedAt: number;

    test.beforeAll(async ({ atTheEnd }) => {
      startedAt = performance.now();
      ({ env, project } = await createProject(atTheEnd, ['--framework', framework, '--store', store]));
    });

    test('after one more command, a visitor signs up, and the admin signs in by the printed link', async ({
      page,
      email,
      atTheEnd,
    }, info) => {
      const port = await freePort();
      const dev = startScript({ project, env }, 'dev', port);
      atTheEnd(() => dev.end('SIGKILL'));
      const url = await dev.printedMatch('stdout', address);
      if (framework === 'vite') await dev.printedMatch('stdout', /(Serving)/);
      // The first request opens the database of an application inside a framework.
      else await (await fetch(`${url}/api/healthz`)).text();
      const database = openDatabase(path.join(project, 'data/early-access.sqlite'));
      await signUp(page, url, { email, backend: { database } });
      const seconds = (performance.now() - startedAt) / 1_000;
      info.annotations.push({ type: 'seconds', description: seconds.toFixed(1) });
      expect(seconds).toBeLessThan(LIMIT_SECONDS);
      await expect.poll(() => database.mailState(email)).toBe('sent');
      expect(await readdir(path.join(project, 'data/mail'))).toHaveLength(1);
      await page.goto(url);
      await expectStyled(page);
      await openDashboardByPrintedLink(page, `${url}/admin`, dev);
      expect(new URL(page.url()).port).toBe(String(port));
      await page.goto(`${page.url()}?page=people`);
      await expect(page.getByText(email)).toBeVisible();
      expect(dev.printed.stdout + dev.printed.stderr).not.toContain('admin-missing');
      // The dashboard polls the server, and would report errors after it has stopped.
      await page.close();
      await database.close();
      // Like Ctrl+C.
      await dev.end('SIGINT');
      await expectGroupEnded(dev);
    });

    test('the build is served at another port, and the admin signs in there', async ({ page, email, atTheEnd }) => {
      const port = await freePort();
      if (framework !== 'html') {
        const { code, stdout, stderr } = await startScript({ project, env }, 'build', port).finished;
        expect(code, stdout + stderr).toBe(0);
        expect(stdout).not.toMatch(/\[warn\]|⚠/i);
      }
      const program = startScript({ project, env }, 'start', port);
      atTheEnd(() => program.end('SIGKILL'));
      const url = await program.printedMatch('stdout', served);
      expect(new URL(url).port).toBe(String(port));
      await (await fetch(`${url}/api/healthz`)).text();
      const database = openDatabase(path.join(project, 'data/early-access.sqlite'));
      await signUp(page, url, { email, backend: { database } });
      await page.goto(url);
      await expectStyled(page);
      await openDashboardByPrintedLink(page, `${url}/admin`, program);
      expect(page.url()).toBe(`${url}/admin`);
      await page.close();
      await database.close();
      await program.end('SIGINT');
      await expectGroupEnded(program);
    });

    test('in production, set up as its README describes, it serves its page through a proxy with TLS', async ({
      browser,
      email,
      atTheEnd,
    }) => {
      const mailbox = await startMailServer();
      atTheEnd(mailbox.close);
      const { commands, settings } = await readProduction(project);
      const entered = { ADMIN_EMAIL, PUBLIC_URL: `https://${HOST}`, SMTP_URL: mailbox.url, MAIL_FROM };
      expect(settings.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(entered)));
      const valued = settings.filter(([, value]) => value !== undefined);
      // It is not in git, so a production machine does not have it.
      await rm(path.join(project, '.env'));
      const production = { ...env, ...entered, ...Object.fromEntries(valued), NODE_ENV: 'production' };
      const port = await freePort();
      for (const script of commands.slice(0, -1)) {
        expect((await startScript({ project, env: production }, script, port).finished).code).toBe(0);
      }
      const program = startScript({ project, env: production }, commands.at(-1) ?? '', port);
      atTheEnd(() => program.end('SIGKILL'));
      const url = await program.printedMatch('stdout', served);
      await (await fetch(`${url}/api/healthz`)).text();
      const proxy = await startHostProxy(new Map([[HOST, `http://localhost:${port}`]]));
      atTheEnd(proxy.close);
      const context = await browser.newContext({ proxy: { server: proxy.url }, ignoreHTTPSErrors: true });
      const complaints = hearComplaints(context);
      const page = await context.newPage();
      const database = openDatabase(path.join(project, 'data/early-access.sqlite'));
      await signUp(page, entered.PUBLIC_URL, { email, backend: { database } });
      await mailbox.waitForMail(email);
      await page.goto(entered.PUBLIC_URL);
      await expectStyled(page);
      await context.close();
      await database.close();
      await program.end('SIGINT');
      expect(complaints).toEqual([]);
      expect(program.printed.stdout + program.printed.stderr).not.toMatch(/"level":"(?:warn|error)"/);
    });

    if (framework !== 'vite') return;
    test('if the server cannot start, nothing runs without it', async ({ atTheEnd }) => {
      const other = await serveHttp((_, response) => response.end());
      atTheEnd(other.close);
      const { port } = new URL(other.origin);
      const dev = startScript({ project, env }, 'dev', Number(port));
      expect((await dev.finished).stdout).toContain(`PORT ${port} is taken`);
      await expectGroupEnded(dev);
    });
  });
}

test.describe('npm create early-access with Postgres', { tag: '@complete' }, () => {
  for (const { framework, address } of CHOICES) {
    test(`${framework}: a visitor signs up`, async ({ page, email, atTheEnd }) => {
      const postgres = await startPostgres();
      atTheEnd(postgres.close);
      const { project, env } = await createProject(atTheEnd, ['--framework', framework, '--store', 'postgres']);
      const settings = path.join(project, '.env');
      const url = await postgres.createDatabase();
      await writeFile(settings, (await readFile(settings, 'utf8')).replace(/(?<=^DATABASE_URL=).+/m, url));
      const dev = startScript({ project, env }, 'dev', await freePort());
      atTheEnd(() => dev.end('SIGKILL'));
      if (framework === 'vite') await dev.printedMatch('stdout', /(Serving)/);
      await page.goto(await dev.printedMatch('stdout', address));
      const form = page.locator('form[novalidate]');
      await form.getByLabel('Email address').fill(email);
      await form.getByRole('button').click();
      await expect(page.getByText("You're on the list!")).toBeVisible();
      const list = ['npx', 'early-access-server', 'export'];
      const exported = await startProcess(list, { env: { ...env, DATABASE_URL: url }, cwd: project }).finished;
      expect(exported.stdout).toContain(email);
      await dev.end('SIGINT');
      await expectGroupEnded(dev);
    });
  }
});

/** Returns the scripts that the README starts in production, and its settings, with values if it contains any. */
async function readProduction(project: string) {
  const readme = await readFile(path.join(project, 'README.md'), 'utf8');
  const section = /\n## In production\n([\s\S]*?)(?=\n## |$)/.exec(readme)?.[1] ?? '';
  // The rest is about running in a container.
  const [server = ''] = section.split('In a container,');
  return {
    commands: [...server.matchAll(/npm run (\w+)/g)].map(([, script = '']) => script),
    settings: [...server.matchAll(/`([A-Z][A-Z_]+)(?:=([^`]+))?`/g)].map(
      ([, name = '', value]) => [name, value] as const,
    ),
  };
}

/** Runs a script of the project on a port, as its README describes. */
function startScript({ project, env }: CreatedProject, script: string, port: number): Running {
  return startProcess(['npm', 'run', script], {
    env: { ...env, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' },
    cwd: project,
    detached: true,
  });
}

/** Expects that all processes that it started have ended. */
async function expectGroupEnded({ process: { pid = 0 } }: Running): Promise<void> {
  await expect(() => expect(() => process.kill(-pid, 0)).toThrow('ESRCH')).toPass();
}
