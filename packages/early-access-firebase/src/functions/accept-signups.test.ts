import { type HumanVerifier, startHumanVerifier, VERIFIER_SECRET } from '@early-access-kit/testkit/human-verifier';
import { signupOf } from '@early-access-kit/testkit/records';
import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { englishSignupMessages as messages } from 'early-access-kit/internal';
import { readVerifyHuman } from 'early-access-server/internal';

import { escapeHtml } from 'early-access-server/mail';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { APP_CHECK_TOKEN, harness, PROJECT } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const SITE = 'https://www.acme.example';
const PLENTY = { burst: 1_000, perMinute: 1_000 };
const b = await harness();

let verifier: HumanVerifier;
beforeAll(async () => {
  verifier = await startHumanVerifier();
});
afterAll(() => verifier.close());
beforeEach(() => {
  verifier.isDown = false;
  verifier.isForgetful = false;
});

const withCheck = (more: Parameters<typeof b.deploy>[0] = {}) =>
  b.deploy({
    ...more,
    verifyHuman: readVerifyHuman({
      HUMAN_CHECK: 'turnstile',
      HUMAN_CHECK_SECRET: VERIFIER_SECRET,
      HUMAN_CHECK_URL: verifier.turnstileUrl,
    }),
    rateLimits: { signups: PLENTY, signupsPerMailbox: PLENTY },
  });
const page = () => httpAdapter({ endpoint: `${b.functions.functionUrl('accept-signups')}/api`, deadlineMs: 60_000 });
const stored = () => b.database.list('email_signups');

describe('signups through the functions, with a human check', () => {
  it('are stored once with a token, and the trigger sends their email', async () => {
    await withCheck();
    const signup = signupOf({ email: ADA, human_token: verifier.issue() });
    expect(await page().createSignup(signup)).toBe('created');
    expect(await page().createSignup(signup)).toBe('created');
    await page().sendWelcomeEmail(ADA);
    expect(await stored()).toHaveLength(1);
    expect((await stored())[0]?.fields).not.toHaveProperty('human_token');
    await b.deliver(signupId(ADA));
    expect(b.mailServer.recipients).toEqual([ADA]);
    expect(await page().createSignup(signupOf({ email: ADA, human_token: verifier.issue() }))).toBe('duplicate');
  });

  it('are refused without a token, with an invented one and with a used one, and counted', async () => {
    await withCheck();
    verifier.isForgetful = true;
    for (const token of [{}, { human_token: 'invented' }]) {
      await expect(page().createSignup(signupOf(token))).rejects.toMatchObject({ code: 'forbidden' });
    }
    const human_token = verifier.issue();
    expect(await page().createSignup(signupOf({ human_token }))).toBe('created');
    for (const _ of [1, 2]) {
      await expect(page().createSignup(signupOf({ human_token }))).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await stored()).toHaveLength(1);
    expect(await b.database.list('human_tokens')).toHaveLength(1);
    // Counted before the response ends, because the processor may be stopped afterwards.
    expect((await b.database.get('analytics/robots'))?.fields).toMatchObject({
      human_replayed: { mapValue: { fields: { '2026-03-01': { integerValue: '2' } } } },
    });
  });

  it('have to be confirmed by email if no script runs', async () => {
    await withCheck();
    const body = new URLSearchParams({ email: ADA });
    const form = await fetch(b.functions.functionUrl('submit-signup-form'), {
      method: 'POST',
      body,
      headers: { origin: SITE },
    });
    expect(form.status).toBe(201);
    expect(await form.text()).not.toContain(escapeHtml(messages.successTitle));
    expect((await stored())[0]?.fields).toMatchObject({ state: { stringValue: 'pending' } });
    await b.deliver(signupId(ADA));
    expect(b.mailServer.recipients).toEqual([ADA]);
    expect(await b.mail(signupId(ADA))).toMatchObject({ kind: 'confirmation' });
  });

  it('get a challenge for a proof of work', async () => {
    const settings = { HUMAN_CHECK: 'proof-of-work', HUMAN_CHECK_SECRET: 'k'.repeat(32) };
    await b.deploy({ verifyHuman: readVerifyHuman(settings) });
    const challenge = await fetch(`${b.functions.functionUrl('accept-signups')}/api/human-challenge`);
    expect(challenge.status).toBe(200);
    expect(await challenge.json()).toMatchObject({ signature: expect.any(String), parameters: expect.any(Object) });
    await expect(page().createSignup(signupOf({ human_token: 'invented' }))).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('signups through the functions, without a human check', () => {
  const visitor = (token?: string) =>
    firestoreAdapter({
      ...{ projectId: PROJECT, apiKey: 'demo-key', endpoint: `${b.functions.functionUrl('accept-signups')}/api` },
      ...{ getAppCheckToken: () => token, deadlineMs: 60_000 },
    });

  it('are stored once with the language of the page, and the trigger sends their email', async () => {
    const signup = signupOf({ email: ADA });
    expect(await visitor().createSignup(signup, 'de-AT')).toBe('created');
    expect(await visitor().createSignup(signup, 'de-AT')).toBe('created');
    expect(await visitor().createSignup(signupOf({ email: ADA }), 'de-AT')).toBe('duplicate');
    await visitor().sendWelcomeEmail(ADA);
    expect((await stored()).map(({ fields }) => fields?.language)).toEqual([{ stringValue: 'de' }]);
    await b.deliver(signupId(ADA));
    expect(b.mailServer.recipients).toEqual([ADA]);
  });

  it('have to be attested if App Check is enforced', async () => {
    await b.deploy({ appCheckRequired: true });
    for (const token of [undefined, 'invented']) {
      await expect(visitor(token).createSignup(signupOf())).rejects.toMatchObject({ code: 'forbidden' });
    }
    await expect(page().createSignup(signupOf())).rejects.toMatchObject({ code: 'forbidden' });
    expect(await stored()).toEqual([]);
    expect(await visitor(APP_CHECK_TOKEN).createSignup(signupOf())).toBe('created');
  });

  it('may have App Check tokens on pages of other sites, whose browsers send a preflight', async () => {
    const origin = 'https://shop.example';
    await b.deploy({ appCheckRequired: true, publicRoutes: { allowedOrigins: [origin] } });
    const url = `${b.functions.functionUrl('accept-signups')}/api/signups`;
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'authorization,x-firebase-appcheck' },
    });
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Content-Type, X-Firebase-AppCheck, Authorization',
    ]);
    const headers = { origin, 'X-Firebase-AppCheck': APP_CHECK_TOKEN };
    const signedUp = await fetch(url, { method: 'POST', headers, body: JSON.stringify(signupOf()) });
    expect([signedUp.status, signedUp.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
  });

  it('are limited by client, before anything is stored', async () => {
    await b.deploy({ rateLimits: { signups: { burst: 2, perMinute: 1 } } });
    for (const _ of [1, 2]) expect(await visitor().createSignup(signupOf())).toBe('created');
    await expect(visitor().createSignup(signupOf())).rejects.toMatchObject({ code: 'rate-limited' });
    expect(await stored()).toHaveLength(2);
  });
});

describe('the signup functions', () => {
  beforeEach(() => withCheck());

  it('do not serve other routes', async () => {
    for (const path of ['/api/summary', '/api/admin/session', '/api/signup-form', '/confirm']) {
      const response = await fetch(b.functions.functionUrl('accept-signups') + path, { method: 'POST', body: '{}' });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });
});
