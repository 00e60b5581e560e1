import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { installFirebaseTools } from '@early-access-kit/testkit/installed-packages';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { deleteApp, getApps } from 'firebase-admin/app';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeParameters } from '../../../../site/build/functions-env.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { signupId } from '../../src/firestore/database.ts';
import { startFirestore } from '../../src/fixtures/firestore.ts';
import { serveFunctions } from '../../src/fixtures/functions-runtime.ts';
import { ADMIN, PROJECT } from '../../src/fixtures/harness.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../..');
/** Inside the package, so that Google's libraries are resolved from its `node_modules`. */
const BUNDLE = path.join(PACKAGE, 'node_modules', '.cache', 'bundle');
const BIN = path.join(PACKAGE, 'node_modules', '.bin');

const KEY = 'k'.repeat(32);

const run = promisify(execFile);

beforeAll(async () => {
  await run(path.join(BIN, 'tsup'), ['--config', 'tsup.functions.config.ts', '--out-dir', BUNDLE], { cwd: PACKAGE });
});
afterAll(() => rm(BUNDLE, { recursive: true, force: true }));

/** Returns the installed version of firebase-admin's client. */
function installedFirestore(): string {
  const admin = createRequire(createRequire(import.meta.url).resolve('firebase-admin/app'));
  const { version }: { version: string } = admin('@google-cloud/firestore/package.json');
  return version;
}

async function json(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(BUNDLE, file), 'utf8'));
}

it('contains everything except the two libraries that Google installs', async () => {
  const manifest = await json('package.json');
  const { 'firebase-admin': admin, 'firebase-functions': functions } = packageJson.devDependencies;
  const dependencies = {
    // An optional dependency of firebase-admin, which older versions of Node.js do not install.
    '@google-cloud/firestore': installedFirestore(),
    'firebase-admin': admin,
    'firebase-functions': functions,
  };
  expect(manifest).toMatchObject({ main: 'main.cjs', engines: { node: '22' }, dependencies });
  // The lockfile contains no registry URLs, so each machine installs from its own.
  const lock = await json('package-lock.json');
  expect(lock).toMatchObject({ packages: { '': { dependencies } } });
  expect(JSON.stringify(lock)).not.toContain('"resolved"');
  const code = await readFile(path.join(BUNDLE, 'main.cjs'), 'utf8');
  const required = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name = '']) => name);
  const { builtinModules } = createRequire(import.meta.url)('node:module');
  const foreign = required.filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));
  expect(foreign.filter((name) => !/^firebase-(admin|functions)\//.test(name))).toEqual([]);
});

/** Returns the manifest that `firebase deploy` reads from the functions. */
async function readManifest(): Promise<unknown> {
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
  const scheduled = { maxInstances: 1, timeoutSeconds: 540, scheduleTrigger: { schedule: 'every 5 minutes' } };
  expect(await readManifest()).toMatchObject({
    endpoints: {
      'send-welcome-email': { ...mailing, callableTrigger: {} },
      'read-analytics': { maxInstances: 3, callableTrigger: {} },
      'submit-signup-form': { maxInstances: 3, secretEnvironmentVariables: [], httpsTrigger: {} },
      'accept-signups': {
        ...{ minInstances: '{{ params.MIN_INSTANCES }}', maxInstances: 3, secretEnvironmentVariables: [] },
        httpsTrigger: {},
      },
      'mail-new-signup': {
        ...mailing,
        eventTrigger: {
          eventType: 'google.cloud.firestore.document.v1.created',
          eventFilters: { database: '{{ params.DATABASE_ID }}' },
          eventFilterPathPatterns: { document: 'email_signups/{id}' },
          retry: true,
        },
      },
      admin: { ...mailing, availableMemoryMb: 1024, httpsTrigger: {} },
      links: { maxInstances: 3, secretEnvironmentVariables: [{ key: 'INVITE_KEY' }], httpsTrigger: {} },
      'mail-sign-in-link': {
        ...mailing,
        eventTrigger: {
          eventFilters: { database: '{{ params.DATABASE_ID }}' },
          eventFilterPathPatterns: { document: 'admin_sign_in_requests/{id}' },
          retry: false,
        },
      },
      'roll-up-analytics': { ...scheduled, availableMemoryMb: 1024 },
      'sweep-mails': { ...scheduled, availableMemoryMb: 1024 },
    },
    params: expect.arrayContaining(
      [
        { name: 'SMTP_URL', type: 'secret' },
        { name: 'MAIL_FROM' },
        { name: 'CONFIRM', default: 'off' },
        { name: 'INVITE_KEY', type: 'secret' },
        { name: 'RETENTION_DAYS', type: 'int', default: 395 },
        { name: 'MAILS_PER_HOUR', type: 'int' },
        { name: 'MIN_INSTANCES', type: 'int', default: 0 },
      ].map((parameter) => expect.objectContaining(parameter)),
    ),
  });
});

/** The functions of firebase-tools with which `firebase deploy` resolves parameters. */
interface Discovery {
  buildFromV1Alpha1(manifest: unknown, project: string, region: string, runtime: string): unknown;
}
interface Env {
  loadUserEnvs(options: Readonly<Record<'functionsSource' | 'projectDir' | 'projectId', string>>): unknown;
}
interface Build {
  resolveBackend(options: Readonly<Record<string, unknown>>): Promise<{ backend: Backend }>;
}
interface Backend {
  readonly endpoints: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;
}
interface Endpoint {
  readonly eventTrigger?: { readonly eventFilters?: { readonly database?: string } };
}

/** Returns all parameters except secrets. */
async function parameterNames(): Promise<readonly string[]> {
  await readManifest();
  const { params }: { params: { name: string; type: string }[] } = JSON.parse(
    await readFile(path.join(BUNDLE, 'manifest.json'), 'utf8'),
  );
  return params.filter(({ type }) => type !== 'secret').map(({ name }) => name);
}

describe('a deployment without a terminal', () => {
  /** Creates a folder with a project's own settings. */
  async function settingsFolder(text: string): Promise<string> {
    const folder = path.join(BUNDLE, 'settings');
    await mkdir(folder, { recursive: true });
    onTestFinished(async () => {
      for (const file of [folder, ...ENV_FILES]) await rm(file, { recursive: true, force: true });
    });
    await writeFile(path.join(folder, `.env.${PROJECT}`), text);
    return folder;
  }
  const ENV_FILES = ['.env', `.env.${PROJECT}`].map((name) => path.join(BUNDLE, name));

  it('has a value for every parameter, or the build reports which one has none', async () => {
    expect(writeParameters(BUNDLE, await settingsFolder(''), {})).toEqual(['MAIL_FROM', 'PUBLIC_URL']);
    const env = { PUBLIC_URL: 'https://www.acme.example', DATABASE_ID: 'early' };
    expect(writeParameters(BUNDLE, await settingsFolder('MAIL_FROM=hello@acme.example\n'), env)).toEqual([]);
    const values = parseEnv((await Promise.all(ENV_FILES.map((file) => readFile(file, 'utf8')))).join('\n'));
    expect(values).toMatchObject(
      Object.fromEntries((await parameterNames()).map((name) => [name, expect.any(String)])),
    );
    expect(values).toMatchObject({ ...env, BRAND_NAME: 'PrintMargin', MAILS_PER_HOUR: '200', CONFIRM: 'off' });
    expect(await readFile(path.join(BUNDLE, values.BRAND_STYLES ?? ''), 'utf8')).toContain('@font-face');
  });

  it('prompts for nothing, as firebase-tools resolves parameters, and runs triggers on the configured database', async () => {
    const tools = createRequire(path.join(installFirebaseTools(), 'package.json'));
    const { buildFromV1Alpha1 }: Discovery = tools('./lib/deploy/functions/runtimes/discovery/v1alpha1.js');
    const { resolveBackend }: Build = tools('./lib/deploy/functions/build.js');
    const { loadUserEnvs }: Env = tools('./lib/functions/env.js');
    const build = await readManifest();
    const resolve = () =>
      resolveBackend({
        build: buildFromV1Alpha1(build, PROJECT, 'us-central1', 'nodejs22'),
        firebaseConfig: { projectId: PROJECT },
        userEnvs: loadUserEnvs({ functionsSource: BUNDLE, projectDir: BUNDLE, projectId: PROJECT }),
        nonInteractive: true,
        // Otherwise secrets are looked up in Secret Manager.
        isEmulator: true,
      });
    const env = { PUBLIC_URL: 'https://www.acme.example', DATABASE_ID: 'early' };
    writeParameters(BUNDLE, await settingsFolder(''), env);
    await expect(resolve()).rejects.toThrow(/: MAIL_FROM\n/);
    writeParameters(BUNDLE, await settingsFolder('MAIL_FROM=hello@acme.example\n'), env);
    const { backend } = await resolve();
    const triggers = Object.values(backend.endpoints['us-central1'] ?? {}).filter((one) => 'eventTrigger' in one);
    expect(triggers.map(({ eventTrigger }) => eventTrigger?.eventFilters?.database)).toEqual(['early', 'early']);
  });
});

it('only requires the secret of a human check if there is one', async () => {
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

it('requires the secrets of the configured mail providers, even of several at once', async () => {
  const settings = path.join(BUNDLE, `.env.${PROJECT}`);
  onTestFinished(() => rm(settings, { force: true }));
  await writeFile(settings, 'MAIL_EVENTS=postmark, brevo\n');
  expect(await readManifest()).toMatchObject({
    endpoints: {
      links: {
        secretEnvironmentVariables: ['INVITE_KEY', 'POSTMARK_WEBHOOK_KEY', 'BREVO_WEBHOOK_KEY'].map((key) => ({ key })),
      },
    },
  });
});

it('works as deployed, configured by the environment', async () => {
  const [database, mailServer] = [await startFirestore(PROJECT), await startMailServer()];
  vi.stubEnv('FIRESTORE_EMULATOR_HOST', database.proxy.grpcHost);
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', PROJECT);
  vi.stubEnv('MAIL_FROM', 'hello@acme.example');
  vi.stubEnv('PUBLIC_URL', 'https://www.acme.example');
  vi.stubEnv('ADMIN_EMAIL', ADMIN);
  vi.stubEnv('MAILS_PER_HOUR', '10');
  vi.stubEnv('INVITE_URL', 'https://app.acme.example/join');
  // Redirecting in a shell often adds a newline.
  vi.stubEnv('INVITE_KEY', `${KEY}\n`);
  const functions = await serveFunctions(createRequire(import.meta.url)(path.join(BUNDLE, 'main.cjs')));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await functions.close();
    await mailServer.close();
    await database.close();
    await Promise.all(getApps().map(deleteApp));
  });
  const call = (name: string, data: unknown) =>
    fetch(functions.functionUrl(name), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });

  const form = await fetch(functions.functionUrl('submit-signup-form'), {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.org' }),
  });
  expect(form.status).toBe(201);
  // Without a configured mail server, the call fails and the message stays queued.
  expect((await call('send-welcome-email', { email: 'ada@example.org' })).status).toBe(503);
  vi.stubEnv('SMTP_URL', `${mailServer.url}\n`);
  expect((await call('send-welcome-email', { email: 'ada@example.org' })).status).toBe(200);
  expect(mailServer.recipients).toEqual(['ada@example.org']);
  expect(await database.readData(`mails/${signupId('ada@example.org')}`)).toMatchObject({ state: 'sent' });
  const redemption = await fetch(`${functions.functionUrl('links')}/api/invites/redeem`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ token: 'unknown' }),
  });
  expect([redemption.status, await redemption.json()]).toEqual([200, { result: 'unknown' }]);
  expect(await (await call('read-analytics', { adminEmail: ADMIN })).json()).toMatchObject({
    result: { email_signups: 1 },
  });
});
