import { HOUR_MS } from 'early-access-kit/internal';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { isLoopback } from './loopback.ts';

/**
 * Where a request comes from, judged by its `Origin` header. Without the header it is `own`: a plain GET, or a program
 * other than a browser. CORS alone would not block a simple POST from a foreign page; it would only hide the response.
 */
export type OriginVerdict = 'own' | 'allowed' | 'foreign';

export interface OriginPolicyOptions {
  /** The site's public URL, if known. */
  readonly site?: URL | null;
  /** May contain a wildcard; see `parseAllowedOrigin`. */
  readonly allowedOrigins?: Iterable<string>;
  /** Allows pages on any port of this machine if the request is sent to this machine. False by default. */
  readonly allowsLocal?: boolean;
}

export function originPolicy({ site = null, allowedOrigins = [], allowsLocal = false }: OriginPolicyOptions) {
  const origins = [...allowedOrigins];
  const exact = new Set(origins.filter((origin) => !origin.includes(WILDCARD)));
  const wildcards = origins.filter((origin) => origin.includes(WILDCARD)).map((origin) => origin.split('*'));
  // If a proxy terminates TLS, the scheme of the request is unknown. But a site on https has no pages on http.
  const schemes = site?.protocol === 'https:' ? ['https://'] : ['https://', 'http://'];
  // Without TLS nothing proves that a host name is the site's: its owner could point it at this server while one of
  // their pages is open.
  const isOfSite = (host: string) => site?.protocol !== 'http:' || host === site.host || isAddress(host);
  return {
    judge(origin: string | undefined, host: string | undefined): OriginVerdict {
      if (origin === undefined || origin === site?.origin) return 'own';
      const name = host?.toLowerCase();
      if (name !== undefined && isOfSite(name) && schemes.some((scheme) => origin === scheme + name)) return 'own';
      const isAllowed =
        exact.has(origin) ||
        wildcards.some(([start = '', end = '']) => isOneLabelBetween(start, end, origin)) ||
        (allowsLocal && isLocal(origin) && isLocal(`http://${host}`));
      return isAllowed ? 'allowed' : 'foreign';
    },
  };
}

const WILDCARD = '://*.';

/** Returns whether the host is an IP address or `localhost`. Nobody else can point these elsewhere with DNS. */
function isAddress(host: string): boolean {
  return /^(?:localhost|[\d.]+|\[.*\])$/.test(URL.parse(`http://${host}`)?.hostname ?? '');
}

function isLocal(url: string): boolean {
  return isLoopback(URL.parse(url)?.hostname ?? '');
}

/**
 * Returns the origin without a trailing slash, such as `https://www.example.com`, or with a wildcard for exactly one
 * leading label, such as `https://*.example.com`. Returns null for any other text. A wildcard directly below a
 * top-level domain is rejected, because it would allow everyone.
 */
export function parseAllowedOrigin(text: string): string | null {
  const origin = text.replace(/\/$/, '');
  const example = origin.replace(WILDCARD, '://label.');
  const url = URL.parse(example);
  if (url?.origin !== example || !['https:', 'http:'].includes(url.protocol) || example.includes('*')) return null;
  return example === origin || url.hostname.split('.').length > 2 ? origin : null;
}

function isOneLabelBetween(start: string, end: string, origin: string): boolean {
  if (!origin.startsWith(start) || !origin.endsWith(end)) return false;
  return /^[\w-]{1,63}$/.test(origin.slice(start.length, origin.length - end.length));
}

export const NO_ORIGIN =
  'this page has no origin: a sandboxed iframe needs allow-same-origin, a form a referrer policy that sends the origin';

/** The reason, as passed to the result page of a form without scripts. */
export type OriginProblem = 'no-origin' | 'foreign-origin';

/**
 * Why a `foreign` origin is rejected: `message` is for developers of clients, `outcome` for the result page of a form
 * without scripts.
 */
export function originRefusal(origin: string | undefined): {
  readonly message: string;
  readonly outcome: OriginProblem;
} {
  return origin === 'null'
    ? { message: NO_ORIGIN, outcome: 'no-origin' }
    : { message: 'pages of this origin may not use this API', outcome: 'foreign-origin' };
}

/** Limits memory and log size, because clients can send any origin. */
const MAX_LOGGED_ORIGINS = 100;
const MAX_ORIGIN_LENGTH = 300;

export interface OriginLogOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** `frame-refused`: `origin` is the origin of the framing page. */
  readonly event: 'origin-refused' | 'frame-refused';
  /** Tells the admin how to allow the origin. */
  readonly fix: string;
  /** Used instead of `fix` if the origin is `null`. */
  readonly fixNull: string;
}

/** Logs rejected origins: each at most once an hour, and at most 100 different ones an hour. */
export function originRefusalLog({
  log,
  clock,
  event,
  fix,
  fixNull,
}: OriginLogOptions): (origin: string | undefined) => void {
  /** When each origin was logged, oldest first. */
  const logged = new Map<string, number>();
  return (given) => {
    const now = clock();
    for (const [origin, at] of logged) {
      if (now - at < HOUR_MS) break;
      logged.delete(origin);
    }
    const origin = loggable(given);
    if (logged.has(origin) || logged.size >= MAX_LOGGED_ORIGINS) return;
    logged.set(origin, now);
    log('warn', event, { origin, fix: origin === 'null' ? fixNull : fix });
  };
}

/** Returns the header's value only if it is an origin. Any other value could contain an email address. */
function loggable(origin = ''): string {
  if (origin === 'null') return origin;
  return origin.length <= MAX_ORIGIN_LENGTH && URL.parse(origin)?.origin === origin ? origin : 'malformed';
}
