import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { startFirestoreFake } from '@early-access-kit/firestore-fake';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { signupId } from 'early-access-server/firestore';
import { deleteApp, getApps } from 'firebase-admin/app';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { serveFunctions } from './fixtures/functions-runtime.ts';
import { ADMIN, PROJECT } from './fixtures/harness.ts';

const PACKAGE = path.resolve(import.meta.dirname, '..');
/** Inside the package, so that Google's libraries are found in its `node_modules`. */
const BUNDLE = path.join(PACKAGE, 'node_modules', '.cache', 'bundle');
const BIN = path.join(PACKAGE, 'node_modules', '.bin');

const run = promisify(execFile);

beforeAll(async () => {
  await run(path.join(BIN, 'tsup'), ['--out-dir', BUNDLE], { cwd: PACKAGE });
});
afterAll(() => rm(BUNDLE, { recursive: true, force: true }));

async function json(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(BUNDLE, file), 'utf8'));
}

it('contains everything except the two libraries that Google installs', async () => {
  expect(await json('package.json')).toMatchObject({
    main: 'main.cjs',
    engines: { node: '22' },
    dependencies: { 'firebase-admin': '14.5.1', 'firebase-functions': '7.4.0' },
  });
  const code = await readFile(path.join(BUNDLE, 'main.cjs'), 'utf8');
  const required = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name = '']) => name);
  const { builtinModules } = createRequire(import.meta.url)('node:module');
  const foreign = required.filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));
  expect(foreign.filter((name) => !/^firebase-(admin|functions)\//.test(name))).toEqual([]);
});

/** What the functions tell `firebase deploy`. */
async function readManifest() {
  const manifest = path.join(BUNDLE, 'manifest.json');
  const { stdout, stderr } = await run(path.join(BIN, 'firebase-functions'), ['.'], {
    cwd: BUNDLE,
    env: {
      ...process.env,
      GCLOUD_PROJECT: PROJECT,
      FUNCTIONS_CONTROL_API: 'true',
      FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest,
    },
  });
  expect(`${stdout}${stderr}`).not.toMatch(/warn|error/i);
  return json('manifest.json');
}

it('exposes the expected functions and parameters to `firebase deploy`', async () => {
  const mailing = { maxInstances: 3, concurrency: 8, secretEnvironmentVariables: [{ key: 'SMTP_URL' }] };
  const administering = {
    ...mailing,
    secretEnvironmentVariables: [{ key: 'SMTP_URL' }, { key: 'INVITE_KEY' }],
  };
  expect(await readManifest()).toMatchObject({
    endpoints: {
      'send-welcome-email': { ...mailing, callableTrigger: {} },
      'read-analytics': { maxInstances: 3, callableTrigger: {} },
      'submit-signup-form': { maxInstances: 3, secretEnvironmentVariables: [], httpsTrigger: {} },
      'accept-signups': { maxInstances: 3, secretEnvironmentVariables: [], httpsTrigger: {} },
      'mail-new-signup': {
        ...mailing,
        eventTrigger: {
          eventType: 'google.cloud.firestore.document.v1.created',
          eventFilterPathPatterns: { document: 'email_signups/{id}' },
          retry: true,
        },
      },
      admin: { ...administering, availableMemoryMb: 1024, httpsTrigger: {} },
      links: { maxInstances: 3, secretEnvironmentVariables: [{ key: 'INVITE_KEY' }], httpsTrigger: {} },
      'mail-sign-in-link': {
        ...administering,
        eventTrigger: { eventFilterPathPatterns: { document: 'admin_sign_in_requests/{id}' }, retry: false },
      },
      'roll-up-analytics': { maxInstances: 1, timeoutSeconds: 540, scheduleTrigger: { schedule: 'every 5 minutes' } },
      'sweep-mails': { maxInstances: 1, timeoutSeconds: 540, scheduleTrigger: { schedule: 'every 5 minutes' } },
    },
    params: [
      { name: 'SMTP_URL', type: 'secret' },
      { name: 'MAIL_FROM' },
      { name: 'PUBLIC_URL' },
      { name: 'ADMIN_EMAIL', default: '' },
      { name: 'CONFIRM', type: 'boolean', default: false },
      { name: 'INVITE_URL', default: '' },
      { name: 'INVITE_KEY', type: 'secret' },
      { name: 'MAIL_LANGUAGE', default: 'en' },
      { name: 'BRAND_NAME', default: '' },
      { name: 'BRAND_URL', default: '' },
      { name: 'BRAND_COLOUR', default: '' },
      { name: 'BRAND_BACKGROUND', default: '' },
      { name: 'BRAND_LOGO', default: '' },
      { name: 'MAIL_TEMPLATES', default: '' },
      { name: 'SIGNUP_FIELDS', default: '' },
      { name: 'HUMAN_CHECK', default: 'off' },
      { name: 'HUMAN_CHECK_URL', default: '' },
      { name: 'MAILS_PER_HOUR', type: 'int' },
      { name: 'ENFORCE_APP_CHECK', type: 'boolean', default: false },
      { name: 'FUNCTIONS_REGION', default: 'us-central1' },
    ],
  });
});

it('asks for the secret of a human check only if there is one', async () => {
  const settings = path.join(BUNDLE, `.env.${PROJECT}`);
  onTestFinished(() => rm(settings, { force: true }));
  await writeFile(settings, 'HUMAN_CHECK=off\n');
  expect(JSON.stringify(await readManifest())).not.toContain('HUMAN_CHECK_SECRET');
  await writeFile(settings, 'HUMAN_CHECK=turnstile\n');
  const secretEnvironmentVariables = [{ key: 'HUMAN_CHECK_SECRET' }];
  expect(await readManifest()).toMatchObject({
    endpoints: {
      'submit-signup-form': { secretEnvironmentVariables },
      'accept-signups': { secretEnvironmentVariables },
    },
    params: expect.arrayContaining([expect.objectContaining({ name: 'HUMAN_CHECK_SECRET', type: 'secret' })]),
  });
});

it('works as deployed, configured by the environment', async () => {
  const [fake, mailServer] = [await startFirestoreFake({ projectId: PROJECT }), await startMailServer()];
  vi.stubEnv('FIRESTORE_EMULATOR_HOST', fake.grpcHost);
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', PROJECT);
  vi.stubEnv('MAIL_FROM', 'hello@acme.example');
  vi.stubEnv('PUBLIC_URL', 'https://www.acme.example');
  vi.stubEnv('ADMIN_EMAIL', ADMIN);
  vi.stubEnv('MAILS_PER_HOUR', '10');
  const functions = await serveFunctions(createRequire(import.meta.url)(path.join(BUNDLE, 'main.cjs')));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await functions.close();
    await Promise.all(getApps().map(deleteApp));
    await mailServer.close();
    await fake.stop();
  });
  const call = (name: string, data: unknown) =>
    fetch(functions.urlOf(name), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });

  const form = await fetch(functions.urlOf('submit-signup-form'), {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.org' }),
  });
  expect(form.status).toBe(201);
  // Without a configured mail server the call fails and the message stays queued.
  expect((await call('send-welcome-email', { email: 'ada@example.org' })).status).toBe(503);
  vi.stubEnv('SMTP_URL', mailServer.url);
  expect((await call('send-welcome-email', { email: 'ada@example.org' })).status).toBe(200);
  expect(mailServer.recipients).toEqual(['ada@example.org']);
  expect(fake.store.get(`mails/${signupId('ada@example.org')}`)?.fields).toMatchObject({
    state: { stringValue: 'sent' },
  });
  expect(await (await call('read-analytics', { adminEmail: ADMIN })).json()).toMatchObject({
    result: { email_signups: 1 },
  });
});
