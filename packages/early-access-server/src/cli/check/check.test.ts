import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { freePort, serveHttp } from '@early-access-kit/testkit/http-server';
import { findChromiums } from '@early-access-kit/testkit/programs';
import { signupOf } from '@early-access-kit/testkit/records';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYONE } from '../../app/people/people.ts';
import { existingData } from '../data-folder.ts';
import { checkCommand } from './check.ts';

const MAIN = fileURLToPath(new URL('../../cli.ts', import.meta.url));
const RECORDS: Readonly<Record<string, string>> = {
  'acme.example': 'v=spf1 include:mail.example -all',
  's1._domainkey.acme.example': 'v=DKIM1; p=MIGf',
  '_dmarc.acme.example': 'v=DMARC1; p=reject',
};
const CHROME_MISSING = '/nonexistent/chrome';

interface Page {
  integrity: string;
  policy: string | null;
  status: number;
  content: string;
}

let page: Page;
let origin = '';
let server = '';
let env: Record<string, string> = {};
let records = RECORDS;
let integrity = '';
let mails: Awaited<ReturnType<typeof startMailServer>>;
const undos: (() => Promise<unknown>)[] = [];

/** A server with a mail server, and a page on another origin that embeds its form. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'early-access-check-'));
  mails = await startMailServer();
  const site = await serveHttp((_, response) => {
    const tag = `<script defer src="${server}/embed.js" integrity="${page.integrity}" crossorigin></script>`;
    response.writeHead(page.status, {
      'content-type': 'text/html',
      ...(page.policy !== null && { 'content-security-policy': page.policy }),
    });
    response.end(`<!doctype html><title>Acme</title>${tag}<early-access-form></early-access-form>${page.content}`);
  });
  origin = site.origin;
  const port = String(await freePort());
  server = `http://localhost:${port}`;
  env = {
    ...{ DATA_DIR: folder, PORT: port, PUBLIC_URL: server, ALLOWED_ORIGINS: origin },
    ...{ SMTP_URL: mails.url, MAIL_FROM: 'Acme <hello@acme.example>', ADMIN_EMAIL: 'admin@acme.example' },
  };
  const running = startProcess([process.execPath, MAIN], { env });
  await running.printedMatch('stdout', /^Serving +(http:\S+)$/m);
  undos.push(site.close, () => running.end('SIGTERM'), mails.close);
  undos.push(async () => rmSync(folder, { recursive: true }));
  const script = await (await fetch(`${server}/embed.js`)).bytes();
  integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

async function check(args: readonly string[] = [`${origin}/`], more: Record<string, string> = {}) {
  const stdout = new PassThrough();
  const resolve = async (name: string) => {
    const record = records[name];
    if (record === undefined) throw new Error('ENOTFOUND');
    return [[record]];
  };
  const code = await checkCommand(
    existingData,
    resolve,
  )({
    args,
    env: { ...env, CHROME_PATH: CHROME_MISSING, ...more },
    stdout,
    stderr: stdout,
  });
  stdout.end();
  const printed = await text(stdout);
  return { code, printed, problems: printed.split('\n').filter((line) => /^PROBLEM|^ +Fix/.test(line)) };
}

function givenPage(changes: Partial<Page> = {}): void {
  page = { integrity, policy: null, status: 200, content: '', ...changes };
  records = RECORDS;
}

describe('check', () => {
  it('follows a signup from the page to the email, and erases it', async () => {
    givenPage({ policy: `default-src 'self'; script-src ${server}; connect-src ${server}` });
    const { code, printed } = await check();
    expect(
      printed
        .replaceAll(server, 'SERVER')
        .replaceAll(origin, 'SITE')
        .replace(/check-\w+/, 'check'),
    ).toBe(`\
ok      page                 SITE/
ok      embed script         SERVER/embed.js, and its hash is right
ok      origin               SITE may use SERVER
ok      policy               it allows the script and the requests
ok      session              the server accepts sessions
ok      form                 a signup is accepted
ok      email                the mail server accepted it for admin+check@acme.example
ok      SPF                  v=spf1 include:mail.example -all
ok      DKIM                 s1._domainkey.acme.example
ok      DMARC                v=DMARC1; p=reject
ok      unsubscribe link     SERVER/unsubscribe
ok      admin                a sign-in link is on its way
No problem was found.
`);
    expect(code).toBe(0);
    const store = await existingData.open({ args: [], env, stdout: process.stdout, stderr: process.stderr });
    expect((await store.people.count(EVERYONE)).count).toBe(0);
    await store.close();
  });

  it('signs up in a browser, if there is one, and reports what the page’s policy blocks', async () => {
    const chrome = { CHROME_PATH: (await findChromiums()).shell.executablePath };
    givenPage();
    const fine = await check(undefined, chrome);
    expect(fine.printed).toContain('ok      form                 a signup is accepted');
    expect(fine.code).toBe(0);
    givenPage({ policy: `script-src ${server}; connect-src 'none'` });
    const { problems } = await check(undefined, chrome);
    expect(problems[0]).toBe(`PROBLEM policy               the page’s policy blocks requests to ${server}`);
    expect(problems[2]).toMatch(/^PROBLEM form .*Content Security Policy/i);
  });

  it.each<[string, () => void, RegExp]>([
    ['a page that is not there', () => givenPage({ status: 404 }), /page +status 404\n +Fix: check the address/],
    ['an old hash', () => givenPage({ integrity: 'sha384-AAAA' }), /embed script +its content does not match the hash/],
    ['a policy without the script', () => givenPage({ policy: "script-src 'self'" }), /Fix: add http\S+ to script-src/],
    [
      'a policy without what the page shows',
      () =>
        givenPage({
          policy: `default-src ${server}`,
          content: '<img src="https://images.example/a.png"><b style="color: red">',
        }),
      /PROBLEM policy +.*blocks parts of it: img-src https:\/\/images.example, style-src inline\n +Fix: allow/,
    ],
    [
      'a sender without records',
      () => {
        givenPage();
        records = { 'acme.example': 'v=spf1 +all' };
      },
      /SPF +the record lets every server send\n.*\n.*DKIM +no key under.*\nPROBLEM DMARC +acme.example has no DMARC record/,
    ],
  ])('names %s, with its fix', async (_, given, expected) => {
    given();
    const { code, printed } = await check();
    expect(printed).toMatch(expected);
    expect(code).toBe(1);
  });

  it('erases no one whose address contains that of the check', async () => {
    givenPage();
    const store = await existingData.open({ args: [], env, stdout: process.stdout, stderr: process.stderr });
    await store.createSignup(signupOf({ email: 'anne@acme.example' }));
    const { printed } = await check([origin, '--email', 'ne@acme.example']);
    expect(printed).toMatch(/ok +form +a signup is accepted/);
    expect((await store.people.listed(['anne@acme.example'])).size).toBe(1);
    await expect(check([origin, '--email', 'anne@acme.example'])).rejects.toThrow('is on the list');
    await store.erase('anne@acme.example');
    await store.close();
  });

  it('names a refused origin, and tries no signup', async () => {
    const refusing = await serveHttp((request, response) => {
      if (request.url !== '/') response.writeHead(403).end('{"error":{"code":"forbidden","message":"no"}}');
      else response.writeHead(200).end(`<script src="http://${request.headers.host}/embed.js"></script>`);
    });
    const { printed } = await check([refusing.origin]);
    await refusing.close();
    expect(printed).toContain(
      `PROBLEM origin               ${refusing.origin} refuses pages of ${refusing.origin}
        Fix: add ${refusing.origin} to ALLOWED_ORIGINS
`,
    );
    expect(printed).not.toMatch(/ (form|session) /);
  });

  it('says what the mail server replied, and which signup to erase if the data is elsewhere', async () => {
    givenPage();
    mails.refuse([{ at: 'RCPT', reply: '550 5.7.1 Relay denied' }]);
    const { printed } = await check([origin, '--email', 'grace@acme.example']);
    mails.refuse([]);
    expect(printed).toMatch(/PROBLEM email +queued: .*Relay denied.*\n +Fix: the health page/);
    const elsewhere = await check(undefined, { DATA_DIR: tempFolder() });
    expect(elsewhere.printed).toMatch(/- +email +run this where the server’s data is/);
    expect(elsewhere.printed).toMatch(/If admin\+check-\w+@acme.example is on the list now, erase it/);
  });

  it.each([[[]], [['acme.example']], [['http://a.example', '--email']], [['http://a.example', 'http://b.example']]])(
    'shows its usage for %j',
    async (args) => {
      await expect(check(args)).rejects.toThrow('usage: check <address of the page with the form>');
    },
  );
});
