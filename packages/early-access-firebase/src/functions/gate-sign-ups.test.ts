import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { freePort } from '@early-access-kit/testkit/http-server';
import { installPackages } from '@early-access-kit/testkit/installed-packages';
import { EVERYONE } from 'early-access-server/internal';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { initializeFirestore } from 'firebase-admin/firestore';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FirestoreStore, firestoreStore } from '../firestore/firestore-store.ts';
import { type EmulatorSuite, PROJECT, startProject, writeSettings } from '../local/emulator-suite.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../..');
const ROOT = path.resolve(PACKAGE, '../..');

let suite: EmulatorSuite;
let store: FirestoreStore;
let authUrl: string;
const undo: (() => Promise<unknown>)[] = [];

/** The deployed functions with the gate, on Google's emulators of Functions, Auth and Firestore. */
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'early-access-gate-'));
  undo.push(async () => rmSync(folder, { recursive: true, force: true }));
  const functions = path.join(folder, 'functions');
  const tsup = path.join(ROOT, 'node_modules/.bin/tsup');
  const command = [tsup, '--config', 'tsup.functions.config.ts', '--out-dir', functions];
  const build = startProcess(command, { cwd: PACKAGE, env: process.env });
  const { code, stdout, stderr } = await build.finished;
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)]);
  symlinkSync(installPackages(functions), path.join(functions, 'node_modules'));
  mkdirSync(path.join(folder, 'client'));
  writeFileSync(path.join(folder, 'client/index.html'), '<!doctype html><title>Acme</title>');
  const ports = {
    site: await freePort(),
    firestore: await freePort(),
    functions: await freePort(),
    auth: await freePort(),
  };
  const own = { MAIL_FROM: 'hello@acme.example', PUBLIC_URL: `http://localhost:${ports.site}`, GATE_SIGN_UPS: 'on' };
  const parameters = { ...parseEnv(readFileSync(path.join(functions, 'defaults.env'), 'utf8')), ...own };
  writeSettings(functions, { parameters, secrets: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  const config = {
    functions: [{ source: 'functions', codebase: 'early-access-kit', runtime: 'nodejs22' }],
    hosting: { public: 'client' },
  };
  const rules = readFileSync(path.join(PACKAGE, 'firestore.rules'), 'utf8');
  suite = await startProject({ folder, config, rules, ports });
  undo.push(suite.stop);
  authUrl = `http://127.0.0.1:${ports.auth}/identitytoolkit.googleapis.com/v1/accounts`;

  const app = initializeApp({ projectId: PROJECT }, 'gate');
  undo.push(() => deleteApp(app));
  const firestore = initializeFirestore(app);
  firestore.settings({ host: suite.firestore.host, ssl: false });
  store = firestoreStore({ firestore });
  const people = ['ada', 'bob', 'eve'].map((name, at) => ({
    ...{ email: `${name}@example.org`, source: 'test', created_at: at + 1, state: 'subscribed' as const },
  }));
  await store.list.importPeople(people, { welcome: false });
  await store.list.invite({ after: null, who: { count: 2, filter: EVERYONE } });
});

afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

async function ask(action: string, body: object) {
  const response = await fetch(`${authUrl}:${action}?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const withPassword = (email: string) => ask('signUp', { email, password: 'correct horse', returnSecureToken: true });
const withGoogle = (email: string) => {
  const idToken = JSON.stringify({ sub: email, email, email_verified: true });
  return ask('signInWithIdp', {
    postBody: `id_token=${encodeURIComponent(idToken)}&providerId=google.com`,
    ...{ requestUri: 'http://localhost', returnSecureToken: true, returnIdpCredential: true },
  });
};

it('lets people with an invited address in, with each provider, and nobody else', async () => {
  expect(await withPassword('Ada@Example.org')).toMatchObject({ status: 200 });
  expect(await withGoogle('bob@example.org')).toMatchObject({ status: 200 });
  const joined = new Map([
    ['joined', 2],
    ['subscribed', 1],
  ]);
  expect(await store.list.counts()).toEqual(joined);
  for (const signUp of [withPassword, withGoogle]) {
    for (const email of ['eve@example.org', 'nobody@example.org']) {
      const { status, text } = await signUp(email);
      expect([status, text]).toEqual([400, expect.stringContaining('BLOCKING_FUNCTION_ERROR_RESPONSE')]);
      expect(text).toContain('You need an invitation to sign up.');
      expect(text).toContain('INVITE_REQUIRED');
    }
  }
  expect(await store.list.counts()).toEqual(joined);
  // People with an account can still sign in.
  expect(await withGoogle('bob@example.org')).toMatchObject({ status: 200 });
  expect(suite.log()).not.toMatch(/(eve|nobody)@example\.org/);
});

it('lets nobody in while the list is unavailable, and explains why', async () => {
  await suite.firestore.stop();
  const { status, text } = await withPassword('carl@example.org');
  expect([status, text]).toEqual([400, expect.stringContaining('could not be checked. Please try again')]);
});
