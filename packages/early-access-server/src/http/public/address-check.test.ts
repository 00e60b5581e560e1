import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { appHarness } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';

const CHECKS: Parameters<typeof appHarness>[0] = {
  blockDisposable: true,
  checkMx: { resolve: async (domain) => (domain === 'gone.example' ? null : ['mx.example']) },
};
const RULES = { ...CHECKS, addressRules: { accept: ['gone.example'], block: ['rival.example'], businessOnly: true } };

it.each([
  [
    CHECKS,
    'ada@mailinator.com',
    'Temporary email addresses are not accepted. Please use another one.',
    'that you read',
  ],
  [CHECKS, 'ada@gone.example', 'This address cannot receive email. Please check it.', 'check the address'],
  [RULES, 'ada@mail.rival.example', 'Addresses of this provider are not accepted. Please use another one.', 'another'],
  [RULES, 'ada@gmail.com', 'Please use your business email address.', 'enter another address'],
])(
  'with %j, %s is refused with a text, by the API and the form without scripts',
  async (options, email, text, advice) => {
    const { post, raw } = appHarness(options);
    const response = await post('/api/signups', signupOf({ email }));
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'invalid', text } }]);
    const page = await post('/api/signup-form', new URLSearchParams({ email }));
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringMatching(`<h1>${text}[^]*Go back and .*${advice}`),
    ]);
    expect(readSignups(raw)).toEqual([]);
  },
);

it('a text of the host arrives as it is', async () => {
  const texts = { en: { disposableTitle: 'No "throwaway" addresses\\' } };
  const { post } = appHarness({ blockDisposable: true, texts });
  const response = await post('/api/signups', signupOf({ email: 'ada@mailinator.com' }));
  expect(await response.json()).toMatchObject({ error: { text: texts.en.disposableTitle } });
});

it('the admin’s own text replaces the built-in one, by language', async () => {
  const texts = { en: { personalTitle: 'Work email, please' }, de: { personalTitle: 'Bitte die Adresse der Firma' } };
  const { post } = appHarness({ ...RULES, texts });
  for (const [language, { personalTitle }] of Object.entries(texts)) {
    const headers = { 'accept-language': language };
    const response = await post('/api/signups', signupOf({ email: 'ada@gmail.com' }), { headers });
    expect(await response.json()).toMatchObject({ error: { text: personalTitle } });
  }
});

it('a domain that is always accepted passes the check of its mail servers', async () => {
  const { post } = appHarness(RULES);
  const response = await post('/api/signups', signupOf({ email: 'ada@gone.example' }));
  expect(response.status).toBe(201);
});

it('all are off by default', async () => {
  const { post } = appHarness();
  for (const email of ['ada@mailinator.com', 'ada@gone.example', 'ada@gmail.com']) {
    expect((await post('/api/signups', signupOf({ email }))).status).toBe(201);
  }
});
