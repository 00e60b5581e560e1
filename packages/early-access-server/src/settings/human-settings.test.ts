import { startHumanVerifier, VERIFIER_SECRET } from '@early-access-kit/testkit/human-verifier';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readVerifyHuman } from './human-settings.ts';
import type { Environment } from './setting.ts';

const KEY = 'k'.repeat(32);
const ALL = ['www.acme.example', 'acme.example', 'shop.example', 'eu.shop.example', 'a.example', 'b.example'];

describe('the settings of the human check', () => {
  it.each<[string | undefined, Environment]>([
    [undefined, {}],
    [undefined, { HUMAN_CHECK: 'off', HUMAN_CHECK_SECRET: KEY }],
    ['turnstile', { HUMAN_CHECK: 'turnstile', HUMAN_CHECK_SECRET: '0x4AAA' }],
    ['hcaptcha', { HUMAN_CHECK: 'hcaptcha', HUMAN_CHECK_SECRET: 'ES_1', HUMAN_CHECK_URL: 'http://localhost:1/verify' }],
    ['proof-of-work', { HUMAN_CHECK: 'proof-of-work', HUMAN_CHECK_SECRET: KEY }],
  ])('choose %s', (name, env) => {
    expect(readVerifyHuman(env)?.name).toBe(name);
  });

  it.each<[string, Environment]>([
    ['HUMAN_CHECK must be one of turnstile, hcaptcha, proof-of-work, off', { HUMAN_CHECK: 'on' }],
    ['HUMAN_CHECK must be set too', { HUMAN_CHECK_SECRET: KEY }],
    ['HUMAN_CHECK_SECRET must be set too', { HUMAN_CHECK: 'turnstile' }],
    ['HUMAN_CHECK_SECRET must have at least 32', { HUMAN_CHECK: 'proof-of-work', HUMAN_CHECK_SECRET: 'short' }],
    ['HUMAN_CHECK_SECRET must consist of printable', { HUMAN_CHECK: 'hcaptcha', HUMAN_CHECK_SECRET: 'a b' }],
    ['HUMAN_CHECK_URL must look like', { HUMAN_CHECK: 'hcaptcha', HUMAN_CHECK_SECRET: KEY, HUMAN_CHECK_URL: 'x' }],
    [
      'HUMAN_CHECK_HOSTNAMES must list',
      { HUMAN_CHECK: 'hcaptcha', HUMAN_CHECK_SECRET: KEY, HUMAN_CHECK_HOSTNAMES: 'https://x.io' },
    ],
    [
      'HUMAN_CHECK_ACTION must consist',
      { HUMAN_CHECK: 'turnstile', HUMAN_CHECK_SECRET: KEY, HUMAN_CHECK_ACTION: 'sign up' },
    ],
    [
      'HUMAN_CHECK_ACTION must not be set for hcaptcha',
      { HUMAN_CHECK: 'hcaptcha', HUMAN_CHECK_SECRET: KEY, HUMAN_CHECK_ACTION: 'signup' },
    ],
    [
      'HUMAN_CHECK_URL must not be set for proof-of-work',
      { HUMAN_CHECK: 'proof-of-work', HUMAN_CHECK_SECRET: KEY, HUMAN_CHECK_URL: 'https://x.io/' },
    ],
  ])('fail with "%s"', (message, env) => {
    expect(() => readVerifyHuman(env)).toThrow(message);
    expect(() => readVerifyHuman(env)).not.toThrow(/short|a b/);
  });

  const PUBLIC_URL = 'https://www.acme.example/';
  const ALLOWED_ORIGINS = 'https://shop.example:8443, https://*.shop.example';
  it.each<[string, Environment, string[]]>([
    ['PUBLIC_URL, with and without www.', { PUBLIC_URL }, ['www.acme.example', 'acme.example']],
    [
      'ALLOWED_ORIGINS, too',
      { PUBLIC_URL, ALLOWED_ORIGINS },
      ['www.acme.example', 'acme.example', 'shop.example', 'eu.shop.example'],
    ],
    [
      'HUMAN_CHECK_HOSTNAMES alone',
      { PUBLIC_URL, HUMAN_CHECK_HOSTNAMES: 'a.example, b.example' },
      ['a.example', 'b.example'],
    ],
    ['anywhere on a local run', { PUBLIC_URL: 'http://localhost:4173' }, ALL],
    ['anywhere without a public URL', { ALLOWED_ORIGINS }, ALL],
  ])('accept tokens of pages on the hosts of %s', async (_, env, expected) => {
    const verifier = await startHumanVerifier();
    onTestFinished(verifier.close);
    const check = readVerifyHuman({
      HUMAN_CHECK: 'hcaptcha',
      HUMAN_CHECK_SECRET: VERIFIER_SECRET,
      HUMAN_CHECK_URL: verifier.hcaptchaUrl,
      ...env,
    });
    const passing = [];
    for (const hostname of ALL) {
      const token = verifier.issue({ hostname });
      if (await check?.verify(token, { clientAddress: undefined, submissionId: 'one' })) passing.push(hostname);
    }
    expect(passing.sort()).toEqual(expected.toSorted());
  });
});
