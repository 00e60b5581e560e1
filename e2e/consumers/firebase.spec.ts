import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { freePort } from '@early-access-kit/testkit/http-server';
import { type MailServer, startMailServer } from '@early-access-kit/testkit/smtp-server';
import { type EmulatorSuite, PROJECT, startProject, writeSettings } from 'early-access-firebase/local';
import { connectFirestore } from '../support/firestore-database.ts';
import { npmWithPacked } from './support/create-project.ts';
import { copyExample } from './support/install.ts';
import { expect, test } from './support/test.ts';

const ADMIN = 'admin@example.com';
const REGION = 'europe-west1';

/** A store from one package must work with the server from the other. */
const OWN_SERVER = `import { firestoreStore } from 'early-access-firebase';
import { createEarlyAccess } from 'early-access-server';
import { getFirestore } from 'firebase-admin/firestore';
export const openOwnServer = () => createEarlyAccess({ store: firestoreStore({ firestore: getFirestore() }) });
`;

test.describe('npx early-access-firebase init', { tag: '@complete' }, () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let mailbox: MailServer;
  let suite: EmulatorSuite;

  const run = async (command: string) => startProcess(command.split(' '), { cwd: folder, env }).finished;
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  const stored = (email: string) => connectFirestore(suite.firestore.url, PROJECT).database.signup(email);

  test.beforeAll(async ({ atTheEnd }) => {
    const { KIT_TARBALL = '', FIREBASE_TARBALL = '' } = process.env;
    const packed = { 'early-access-kit': `file:${KIT_TARBALL}`, 'early-access-firebase': `file:${FIREBASE_TARBALL}` };
    folder = await copyExample({ example: 'firebase' }, packed);
    atTheEnd(() => rm(folder, { recursive: true, force: true }));
    env = await npmWithPacked(atTheEnd);

    await mkdir(path.join(folder, 'functions/src'), { recursive: true });
    await writeFile(path.join(folder, 'functions/src/own-server.ts'), OWN_SERVER);
    // The commands of the example's README, and those that `firebase deploy` runs before uploading.
    for (const command of [
      'npm install --no-audit --no-fund --prefer-offline --ignore-scripts',
      'npm run build',
      `npx early-access-firebase init --region ${REGION}`,
      'npm --prefix functions install --no-audit --no-fund --prefer-offline --ignore-scripts',
      'npm --prefix functions run build',
      'npx --prefix functions early-access-firebase dashboard public/admin',
    ]) {
      const { code, stdout, stderr } = await run(command);
      expect([command, code, stdout + stderr]).toEqual([command, 0, expect.any(String)]);
    }

    mailbox = await startMailServer();
    atTheEnd(mailbox.close);
    const ports = { site: await freePort(), firestore: await freePort(), functions: await freePort() };
    const own = { MAIL_FROM: 'hello@example.com', PUBLIC_URL: `http://localhost:${ports.site}`, ADMIN_EMAIL: ADMIN };
    const parameters = { ...parseEnv(await read('functions/.env')), ...own };
    writeSettings(path.join(folder, 'functions'), { parameters, secrets: { SMTP_URL: mailbox.url } });
    const config = JSON.parse(await read('firebase.json'));
    suite = await startProject({ folder, config, rules: await read('firestore.rules'), ports, scheduleMs: 2_000 });
    atTheEnd(suite.stop);

    // The page contains the ports of `init`, which may be in use here.
    const page = (await read('public/firebase-config.js'))
      .replace('us-central1', REGION)
      .replace('http://127.0.0.1:8080', suite.firestore.url)
      .replace('http://127.0.0.1:5001', suite.functionsUrl);
    await writeFile(path.join(folder, 'public/firebase-config.js'), page);
  });

  test('a visitor signs up under the rules, and a function sends the email', async ({ page, email }) => {
    await page.goto(suite.origin);
    const form = page.locator('form[novalidate]');
    await form.getByLabel('Email address').fill(email);
    await form.getByRole('button').click();
    await expect(page.getByText("You're on the list!")).toBeVisible();
    expect(await stored(email)).toMatchObject({ email, source: 'landing_page' });
    await mailbox.waitForMail(email);
  });

  test('a visitor signs up without scripts, through a function', async ({ email }) => {
    const headers = { origin: suite.origin, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ email });
    const response = await fetch(`${suite.origin}/api/signup-form`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    expect(await stored(email)).toMatchObject({ email });
  });

  test('the admin gets an emailed link that opens the dashboard', async ({ page }) => {
    await page.goto(`${suite.origin}/admin/`);
    await page.getByLabel('Your email address').fill(ADMIN);
    await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
    const { text = '' } = await mailbox.waitForMail(ADMIN);
    const link = /http\S+\/admin#token=\S+/.exec(text)?.[0] ?? '';
    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  });

  test('running it again changes nothing', async () => {
    const before = await read('firebase.json');
    const { code, stdout } = await run('npx early-access-firebase init');
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/Wrote|Differs/)]);
    expect(await read('firebase.json')).toBe(before);
  });
});
