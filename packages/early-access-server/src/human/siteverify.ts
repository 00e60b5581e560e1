import { originPolicy, parseAllowedOrigin } from '../app/access/origins.ts';
import { sha256 } from '../app/access/secrets.ts';
import { ConfigError } from '../app/config-error.ts';
import type { VerifyHuman } from '../app/human/human-check.ts';
import { readField } from '../app/text/read-field.ts';

/** Shorter than the browser's timeout for signups, so that the visitor gets an error message. */
const TIMEOUT_MS = 5_000;

/** The account at the provider of the check. */
export interface SiteverifyOptions {
  /** The site's secret key from the provider. Never put it into a page. */
  readonly secret: string;
  /** Another URL for the verifier, such as a proxy's or a test's. */
  readonly url?: string | undefined;
  /**
   * The host names of pages with the form, such as `www.example.com`, or `*.example.com` for exactly one label. Tokens
   * from other pages are rejected. Default: undefined, which relies on the provider's own list of domains.
   */
  readonly hostnames?: readonly string[] | undefined;
}

export interface TurnstileOptions extends SiteverifyOptions {
  /**
   * The `action` of the page's widget. Tokens with another action are rejected. Undefined, the default, accepts any.
   */
  readonly action?: string | undefined;
}

interface Provider extends Pick<VerifyHuman, 'name' | 'tokenLifetimeMs' | 'pageSources'> {
  readonly url: string;
}

const TURNSTILE_ORIGIN = ['https://challenges.cloudflare.com'];
const HCAPTCHA_ORIGINS = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];

/**
 * Verifies Cloudflare Turnstile tokens. Throws a `ConfigError` if the secret is missing.
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
 * Verifies hCaptcha tokens. Throws a `ConfigError` if the secret is missing.
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

/** The verifiers' errors for a bad token. All other errors are caused by the settings or the verifier. */
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
      // With the same UUID, Turnstile accepts a token again. hCaptcha ignores it.
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

/** Throws a `ConfigError` if one of them is not a valid host name. */
function hostnameCheck(hostnames: readonly string[]): (hostname: unknown) => boolean {
  const allowedOrigins = hostnames.flatMap((hostname) => parseAllowedOrigin(`https://${hostname}`) ?? []);
  if (allowedOrigins.length < hostnames.length)
    throw new ConfigError(
      `the hostnames of the human check must look like www.example.com, not ${hostnames.join(', ')}`,
    );
  const { judge } = originPolicy({ allowedOrigins });
  return (hostname) => judge(URL.parse(`https://${hostname}`)?.origin ?? 'null', undefined) === 'allowed';
}

/** Derives the same UUID from the same text. */
function deriveUuid(text: string): string {
  return sha256(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
