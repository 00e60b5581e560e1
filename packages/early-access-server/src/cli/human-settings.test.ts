import { describe, expect, it } from 'vitest';
import { readVerifyHuman } from './human-settings.ts';
import type { Environment } from './settings.ts';

const KEY = 'k'.repeat(32);

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
      'HUMAN_CHECK_URL must not be set for proof-of-work',
      { HUMAN_CHECK: 'proof-of-work', HUMAN_CHECK_SECRET: KEY, HUMAN_CHECK_URL: 'https://x.io/' },
    ],
  ])('fail with "%s"', (message, env) => {
    expect(() => readVerifyHuman(env)).toThrow(message);
    expect(() => readVerifyHuman(env)).not.toThrow(/short|a b/);
  });
});
