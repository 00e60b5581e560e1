import { originPolicy, parseAllowedOrigin } from '../app/access/origins.ts';
import { sha256 } from '../app/access/secrets.ts';
import { ConfigError } from '../app/config-error.ts';
import type { VerifyHuman } from '../app/human/human-check.ts';
import { readField } from '../app/text/read-field.ts';

/** Less than the browser waits for a signup, so that it hears of a failure. */
const TIMEOUT_MS = 5_000;

/** The account at the provider of the check. */
export interface SiteverifyOptions {
  /** The secret key of the site, from the provider. Never in a page. */
  readonly secret: string;
  /** Another address of the verifier, such as that of a proxy or a test. */
  readonly url?: string | undefined;
  /**
   * The host names of the pages with the form, such as `www.example.com`, or `*.example.com` for one label. Tokens of
   * widgets on other pages are refused. Undefined, the default: only the provider's own list of domains decides.
   */
  readonly hostnames?: readonly string[] | undefined;
}

export interface TurnstileOptions extends SiteverifyOptions {
  /** The `action` of the page's widget. Tokens with another one are refused. Undefined, the default: any. */
  readonly action?: string | undefined;
}

interface Provider extends Pick<VerifyHuman, 'name' | 'tokenLifetimeMs' | 'pageSources'> {
  readonly url: string;
}

const TURNSTILE_ORIGIN = ['https://challenges.cloudflare.com'];
const HCAPTCHA_ORIGINS = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];

/**
 * Checks tokens of Cloudflare Turnstile. Throws a `ConfigError` without a secret.
 *
 * @example
 * createEarlyAccess({ store, verifyHuman: verifyTurnstile({ secret }) });
 */
export function verifyTurnstile(options: TurnstileOptions): VerifyHuman {
  return siteverify(
    {
      name: 'turnstile',
      url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
      tokenLifetimeMs: 300_000,
      pageSources: { 'script-src': TURNSTILE_ORIGIN, 'frame-src': TURNSTILE_ORIGIN },
    },
    options,
  );
}

/**
 * Checks tokens of hCaptcha. Throws a `ConfigError` without a secret.
 *
 * @example
 * createEarlyAccess({ store, verifyHuman: verifyHcaptcha({ secret }) });
 */
export function verifyHcaptcha(options: SiteverifyOptions): VerifyHuman {
  return siteverify(
    {
      name: 'hcaptcha',
      url: 'https://api.hcaptcha.com/siteverify',
      tokenLifetimeMs: 120_000,
      pageSources: {
        'script-src': HCAPTCHA_ORIGINS,
        'style-src': HCAPTCHA_ORIGINS,
        'connect-src': HCAPTCHA_ORIGINS,
        'frame-src': HCAPTCHA_ORIGINS,
      },
    },
    options,
  );
}

/** The verifiers' errors for a bad token. Any other error is caused by the settings or the verifier, not by a token. */
const TOKEN_ERRORS = [
  'missing-input-response',
  'invalid-input-response',
  'invalid-or-already-seen-response',
  'already-seen-response',
  'expired-input-response',
  'timeout-or-duplicate',
];

/** The protocol that Turnstile and hCaptcha have in common. */
function siteverify({ url, ...provider }: Provider, options: TurnstileOptions): VerifyHuman {
  if (options.secret === '') throw new ConfigError(`${provider.name} needs the secret key that the provider gave you`);
  const { action } = options;
  const isDeclared = options.hostnames && hostnameCheck(options.hostnames);
  return {
    ...provider,
    async verify(token, { clientAddress, submissionId }) {
      const body = new URLSearchParams({ secret: options.secret, response: token });
      // Turnstile passes a token again that comes with the same UUID; hCaptcha ignores it.
      body.set('idempotency_key', deriveUuid(`${submissionId}\n${token}`));
      if (clientAddress !== undefined) body.set('remoteip', clientAddress);
      const response = await fetch(options.url ?? url, {
        method: 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const result: unknown = await response.json();
      const [success, errors] = [readField(result, 'success'), readField(result, 'error-codes')];
      if (success === true) {
        const isOfPage = isDeclared === undefined || isDeclared(readField(result, 'hostname'));
        return isOfPage && (action === undefined || readField(result, 'action') === action);
      }
      const codes = Array.isArray(errors) ? errors.map(String) : [];
      if (success !== false || !codes.every((code) => TOKEN_ERRORS.includes(code))) {
        throw new Error(
          `${provider.name} responded with status ${response.status} and the errors ${codes.join(', ') || 'none'}`,
        );
      }
      return false;
    },
  };
}

/** Throws a `ConfigError` if one of them cannot be the host name of a page. */
function hostnameCheck(hostnames: readonly string[]): (hostname: unknown) => boolean {
  const allowedOrigins = hostnames.flatMap((hostname) => parseAllowedOrigin(`https://${hostname}`) ?? []);
  if (allowedOrigins.length < hostnames.length)
    throw new ConfigError(
      `the hostnames of the human check must look like www.example.com, not ${hostnames.join(', ')}`,
    );
  const { judge } = originPolicy({ allowedOrigins });
  return (hostname) => judge(URL.parse(`https://${hostname}`)?.origin ?? 'null', undefined) === 'allowed';
}

/** The same UUID for the same text. */
function deriveUuid(text: string): string {
  return sha256(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
