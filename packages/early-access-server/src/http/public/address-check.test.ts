import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { appHarness } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';

const dns = { resolve: async (domain: string) => (domain === 'gone.example' ? null : ['mx.example']) };

it.each([
  ['ada@mailinator.com', 'en', 'Temporary email addresses are not accepted. Please use another one.'],
  ['ada@mailinator.com', 'de-AT', 'Wegwerf-Adressen werden nicht akzeptiert. Bitte verwende eine andere.'],
  ['ada@gone.example', 'en', 'This address cannot receive email. Please check it.'],
])('POST /api/signups of %s says why in %s, and stores nothing', async (email, language, text) => {
  const { post, raw } = appHarness({ blockDisposable: true, checkMx: dns });
  const headers = { 'accept-language': language };
  const response = await post('/api/signups', JSON.stringify(signupOf({ email })), { headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid', text } });
  expect(readSignups(raw)).toEqual([]);
});

it.each([
  ['ada@mailinator.com', 'Temporary email addresses are not accepted.', 'Go back and enter an address that you read'],
  ['ada@gone.example', 'This address cannot receive email.', 'Go back and check the address.'],
])('the form without scripts of %s responds with a page that says why', async (email, title, text) => {
  const { post, raw } = appHarness({ blockDisposable: true, checkMx: dns });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await post('/api/signup-form', new URLSearchParams({ email }).toString(), { headers });
  const page = await response.text();
  expect(response.status).toBe(400);
  expect(page).toContain(`<h1>${title}`);
  expect(page).toContain(text);
  expect(readSignups(raw)).toEqual([]);
});

it('a text of the host arrives without quotation marks, which the form does not parse', async () => {
  const texts = { en: { disposableTitle: 'No "throwaway" addresses\\' } };
  const { post } = appHarness({ blockDisposable: true, texts });
  const response = await post('/api/signups', JSON.stringify(signupOf({ email: 'ada@mailinator.com' })));
  expect(await response.json()).toMatchObject({ error: { text: 'No  throwaway  addresses ' } });
});

it('both are off by default', async () => {
  const { post } = appHarness();
  for (const email of ['ada@mailinator.com', 'ada@gone.example']) {
    expect((await post('/api/signups', JSON.stringify(signupOf({ email })))).status).toBe(201);
  }
});
