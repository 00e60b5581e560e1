import { ConfigError } from '../app/host-mistakes.ts';
import type { VerifyHuman } from '../app/human/human-check.ts';
import { SHORTEST_KEY } from '../app/secrets.ts';
import { proofOfWork } from '../human/proof-of-work.ts';
import { hcaptcha, turnstile } from '../human/siteverify.ts';
import { type Environment, setting, urlOf } from './settings.ts';

const CHECKS = ['turnstile', 'hcaptcha', 'proof-of-work', 'off'] as const;

const HUMAN_CHECK = setting('HUMAN_CHECK', {
  rule: `must be one of ${CHECKS.join(', ')}`,
  parse: (value) => CHECKS.find((check) => check === value) ?? null,
});
const HUMAN_CHECK_SECRET = setting('HUMAN_CHECK_SECRET', {
  rule: 'must consist of printable characters without spaces',
  parse: (value) => (/^[\x21-\x7e]+$/.test(value) ? value : null),
  isPrivate: true,
});
const HUMAN_CHECK_URL = setting('HUMAN_CHECK_URL', {
  rule: 'must look like https://verifier.example.com/siteverify',
  parse: (value) => urlOf(value, ['http:', 'https:'])?.href ?? null,
});

/** Null if there is no human check. Throws a `ConfigError` if its settings do not fit each other. */
export function readVerifyHuman(env: Environment): VerifyHuman | null {
  const check = HUMAN_CHECK.read(env) ?? 'off';
  const [secret, url] = [HUMAN_CHECK_SECRET.read(env), HUMAN_CHECK_URL.read(env) ?? undefined];
  if (check === 'off') {
    if (HUMAN_CHECK.read(env) === null && (secret !== null || url !== undefined)) {
      throw new ConfigError(`HUMAN_CHECK must be set too: one of ${CHECKS.join(', ')}`);
    }
    return null;
  }
  if (check === 'proof-of-work') {
    if (url !== undefined)
      throw new ConfigError('HUMAN_CHECK_URL must not be set for proof-of-work, which asks no other server');
    if (secret === null || secret.length < SHORTEST_KEY) {
      throw new ConfigError(
        `HUMAN_CHECK_SECRET must have at least ${SHORTEST_KEY} characters for proof-of-work, such as those that "openssl rand -hex 32" prints`,
      );
    }
    return proofOfWork({ key: secret });
  }
  if (secret === null) {
    throw new ConfigError(
      `HUMAN_CHECK is ${check}, so HUMAN_CHECK_SECRET must be set too: the secret key that the provider gave you`,
    );
  }
  return check === 'turnstile' ? turnstile({ secret, url }) : hcaptcha({ secret, url });
}
