import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { appHarness } from '../../fixtures/app-harness.ts';
import { verifyProofOfWork } from '../../human/proof-of-work.ts';

const readLanguages = ({ raw }: ReturnType<typeof appHarness>) =>
  raw
    .prepare('SELECT language FROM email_signups ORDER BY id')
    .all()
    .map(({ language }) => language);

describe('the language of a signup', () => {
  it.each<[string | undefined, string | undefined, string | null]>([
    [undefined, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    [undefined, 'en;q=0.5,pt-BR', 'pt'],
    ['zh-Hans', 'en', 'zh'],
    ['JA', undefined, 'ja'],
    ['nonsense!', '*, fr;q=0, fil;q=0.1', 'fil'],
    ['x', '1', null],
    ['english', 'a'.repeat(5_000), null],
    [undefined, undefined, null],
  ])('of a page in %j, read with Accept-Language %.30j, is %j', async (lang, accepted, language) => {
    const harness = appHarness();
    const headers = { ...(accepted !== undefined && { 'accept-language': accepted }) };
    await harness.post('/api/signups', { ...signupOf(), lang }, { headers });
    const form = new URLSearchParams({ email: 'form@example.org', ...(lang !== undefined && { lang }) });
    await harness.post('/api/signup-form', form, { headers });
    expect(readLanguages(harness)).toEqual([language, language]);
  });

  it('is no reason to refuse a signup of a program', async () => {
    const harness = appHarness();
    for (const lang of [7, null, ['de'], {}]) {
      expect((await harness.post('/api/signups', { ...signupOf(), lang })).status).toBe(201);
    }
    expect(readLanguages(harness)).toEqual([null, null, null, null]);
  });

  it('is stored with a human check, too', async () => {
    const harness = appHarness({ verifyHuman: verifyProofOfWork({ key: 'k'.repeat(32) }) });
    const body = new URLSearchParams({ email: 'form@example.org', lang: 'it' });
    await harness.post('/api/signup-form', body);
    expect(readLanguages(harness)).toEqual(['it']);
  });
});
