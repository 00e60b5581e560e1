import path from 'node:path';
import { type HumanVerifier, startHumanVerifier, VERIFIER_SECRET } from '@early-access-kit/testkit/human-verifier';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { FieldDeclarations } from 'early-access-kit/core';
import { readVerifyHuman } from 'early-access-server/app';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type LocalFirebase, startLocalFirebase } from '../src/local/local-firebase.ts';
import { PROJECT, ROOT } from './harness.ts';

/** A site with fields of its own and a human check: signups go through Hosting to a function, sessions to Firestore. */

const FIELDS: FieldDeclarations = { company: { type: 'text', label: 'Company', required: true } };

let local: LocalFirebase;
let verifier: HumanVerifier;
const mails: string[] = [];

beforeAll(async () => {
  verifier = await startHumanVerifier();
  local = await startLocalFirebase({
    projectId: PROJECT,
    config: path.join(ROOT, 'site/dist-emulator/firebase.json'),
    root: ROOT,
    ports: { site: 0, firestore: 0, functions: 0 },
    transport: {
      async deliver({ to }) {
        mails.push(String(to));
        return { outcome: 'sent' };
      },
      async close() {},
    },
    mailFrom: 'Acme <hello@studio.example>',
    adminEmail: 'admin@studio.example',
    fields: FIELDS,
    verifyHuman: readVerifyHuman({
      HUMAN_CHECK: 'hcaptcha',
      HUMAN_CHECK_SECRET: VERIFIER_SECRET,
      HUMAN_CHECK_URL: verifier.hcaptchaUrl,
    }),
    log: () => {},
  });
});
afterAll(async () => {
  await local.stop();
  await verifier.close();
});

function adapters() {
  const emulator = { firestore: local.fake.restUrl, functions: local.functionsUrl };
  const direct = firestoreAdapter({ projectId: PROJECT, apiKey: 'demo-key', emulator });
  const { createSignup, sendWelcomeEmail } = httpAdapter({ endpoint: `${local.origin}/api` });
  return { direct, page: { ...direct, createSignup, sendWelcomeEmail } };
}

it('signs up through Hosting with a token, and sends the email', async () => {
  const { page } = adapters();
  const signup = signupOf({ email: 'ada@example.org', fields: { company: 'Acme' }, human_token: verifier.issue() });
  expect(await page.createSignup(signup)).toBe('created');
  await page.sendWelcomeEmail(signup.email);
  await vi.waitFor(() => expect(mails).toEqual(['ada@example.org']));
  const [stored] = local.fake.store.list('email_signups');
  expect(stored?.fields).toMatchObject({ fields: { mapValue: { fields: { company: { stringValue: 'Acme' } } } } });
  expect(JSON.stringify(local.fake.store.list('email_signups'))).not.toContain(signup.human_token);
});

it('has no other way to sign up', async () => {
  const { page, direct } = adapters();
  const signup = signupOf({ fields: { company: 'Acme' } });
  for (const adapter of [page, direct]) {
    await expect(adapter.createSignup(signup)).rejects.toMatchObject({ code: 'forbidden' });
  }
  const listed = signupOf({ email: 'ada@example.org' });
  await expect(direct.createSignup(listed)).rejects.toMatchObject({ code: 'forbidden' });
});

it('stores sessions as before', async () => {
  const { page } = adapters();
  const session = sessionOf();
  await page.startSession(session);
  await page.updateSession(session.id, updateOf(session, { page_count: 2 }));
  expect(local.fake.store.list('sessions')).toHaveLength(1);
});

it('has a route for challenges only if its check makes some', async () => {
  expect((await fetch(`${local.origin}/api/human-challenge`)).headers.get('content-type')).toMatch('application/json');
});
