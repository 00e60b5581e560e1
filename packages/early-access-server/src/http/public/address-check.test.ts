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

it('a text of the host arrives as it is', async () => {
  const texts = { en: { disposableTitle: 'No "throwaway" addresses\\' } };
  const { post } = appHarness({ blockDisposable: true, texts });
  const response = await post('/api/signups', JSON.stringify(signupOf({ email: 'ada@mailinator.com' })));
  expect(await response.json()).toMatchObject({ error: { text: texts.en.disposableTitle } });
});

const RULES = { accept: ['gone.example'], block: ['rival.example'], businessOnly: true };

it.each([
  ['ada@mail.rival.example', 'Addresses of this provider are not accepted. Please use another one.'],
  ['ada@gmail.com', 'Please use your business email address.'],
])('rules of the admin refuse %s with a text, by the API and the form without scripts', async (email, text) => {
  const { post, raw } = appHarness({ addressRules: RULES, checkMx: dns });
  const response = await post('/api/signups', JSON.stringify(signupOf({ email })));
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'invalid', text } }]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const page = await post('/api/signup-form', new URLSearchParams({ email }).toString(), { headers });
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(`<h1>${text}`)]);
  expect(readSignups(raw)).toEqual([]);
});

it('the admin’s own text replaces the built-in one, by language', async () => {
  const texts = { en: { personalTitle: 'Work email, please' }, de: { personalTitle: 'Bitte die Adresse der Firma' } };
  const { post } = appHarness({ addressRules: RULES, texts });
  for (const [language, { personalTitle }] of Object.entries(texts)) {
    const headers = { 'accept-language': language };
    const response = await post('/api/signups', JSON.stringify(signupOf({ email: 'ada@gmail.com' })), { headers });
    expect(await response.json()).toMatchObject({ error: { text: personalTitle } });
  }
});

it('a domain that is always accepted passes the check of its mail servers', async () => {
  const { post } = appHarness({ addressRules: RULES, checkMx: dns });
  const response = await post('/api/signups', JSON.stringify(signupOf({ email: 'ada@gone.example' })));
  expect(response.status).toBe(201);
});

it('all are off by default', async () => {
  const { post } = appHarness();
  for (const email of ['ada@mailinator.com', 'ada@gone.example', 'ada@gmail.com']) {
    expect((await post('/api/signups', JSON.stringify(signupOf({ email })))).status).toBe(201);
  }
});
