import { isLoopback } from '../app/access/loopback.ts';
import { SHORTEST_KEY } from '../app/access/secrets.ts';
import { ConfigError } from '../app/config-error.ts';
import type { VerifyHuman } from '../app/human/human-check.ts';
import { verifyProofOfWork } from '../human/proof-of-work.ts';
import { verifyHcaptcha, verifyTurnstile } from '../human/siteverify.ts';
import type { Environment } from './setting.ts';
import { HUMAN_CHECKS, SETTINGS } from './setting-list.ts';

/**
 * The host names from which signups are accepted. Undefined on a local run, because the providers' test keys report
 * other host names.
 */
function readHostnames(env: Environment): readonly string[] | undefined {
  const declared = SETTINGS.HUMAN_CHECK_HOSTNAMES.read(env);
  if (declared !== null) return declared;
  const publicUrl = SETTINGS.PUBLIC_URL.read(env);
  if (publicUrl === null || isLoopback(publicUrl.hostname)) return undefined;
  const bare = publicUrl.hostname.replace(/^www\./, '');
  const others = SETTINGS.ALLOWED_ORIGINS.read(env) ?? [];
  return [bare, `www.${bare}`, ...others.map((origin) => origin.replace(/^https?:\/\/|:\d+$/g, ''))];
}

/** Returns null if there is no human check. Throws a `ConfigError` if its settings are inconsistent. */
export function readVerifyHuman(env: Environment): VerifyHuman | null {
  const check = SETTINGS.HUMAN_CHECK.read(env) ?? 'off';
  const [secret, url] = [SETTINGS.HUMAN_CHECK_SECRET.read(env), SETTINGS.HUMAN_CHECK_URL.read(env)?.href];
  if (check === 'off') {
    if (SETTINGS.HUMAN_CHECK.read(env) === null && (secret !== null || url !== undefined)) {
      throw new ConfigError(`HUMAN_CHECK must be set too: one of ${HUMAN_CHECKS.join(', ')}`);
    }
    return null;
  }
  if (check === 'proof-of-work') {
    if (url !== undefined)
      throw new ConfigError('HUMAN_CHECK_URL must not be set for proof-of-work, which asks no other server');
    if (secret === null || secret.length < SHORTEST_KEY) {
      throw new ConfigError(
        `HUMAN_CHECK_SECRET must have at least ${SHORTEST_KEY} characters for proof-of-work, such as the output of "openssl rand -hex 32"`,
      );
    }
    return verifyProofOfWork({ key: secret });
  }
  if (secret === null) {
    throw new ConfigError(
      `HUMAN_CHECK is ${check}, so HUMAN_CHECK_SECRET must be set too: the secret key that the provider gave you`,
    );
  }
  const [hostnames, action] = [readHostnames(env), SETTINGS.HUMAN_CHECK_ACTION.read(env) ?? undefined];
  if (check === 'turnstile') return verifyTurnstile({ secret, url, hostnames, action });
  if (action !== undefined)
    throw new ConfigError('HUMAN_CHECK_ACTION must not be set for hcaptcha, which has no actions');
  return verifyHcaptcha({ secret, url, hostnames });
}
