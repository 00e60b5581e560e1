import { HOUR_MS } from 'early-access-kit/internal';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { isLoopback } from './loopback.ts';

/**
 * Whose page is calling, as the browser says. `own` if it says nothing: programs other than browsers, and plain GETs.
 * CORS alone would not stop a foreign page's simple POST; it would only hide the response.
 */
export type OriginVerdict = 'own' | 'allowed' | 'foreign';

export interface OriginPolicyOptions {
  /** Where visitors reach the site, if it is known. */
  readonly site?: URL | null;
  /** Each may have a wildcard, see `parseAllowedOrigin`. */
  readonly allowedOrigins?: Iterable<string>;
  /**
   * Whether pages of this machine, on any port, may call if the request is sent to this machine, too. False by default.
   */
  readonly allowsLocal?: boolean;
}

export function originPolicy({ site = null, allowedOrigins = [], allowsLocal = false }: OriginPolicyOptions) {
  const origins = [...allowedOrigins];
  const exact = new Set(origins.filter((origin) => !origin.includes(WILDCARD)));
  const wildcards = origins.filter((origin) => origin.includes(WILDCARD)).map((origin) => origin.split('*'));
  // A proxy may have ended TLS, so the request does not tell its scheme. But a site on https has no pages on http.
  const schemes = site?.protocol === 'https:' ? ['https://'] : ['https://', 'http://'];
  // Without TLS nothing proves that a name is the site's: its owner can point it at this server while a page of theirs
  // is open.
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

/** Whether a host is an IP address or `localhost`, which no one else's DNS can point elsewhere. */
function isAddress(host: string): boolean {
  return /^(?:localhost|[\d.]+|\[.*\])$/.test(URL.parse(`http://${host}`)?.hostname ?? '');
}

function isLocal(url: string): boolean {
  return isLoopback(URL.parse(url)?.hostname ?? '');
}

/**
 * The origin that a setting allows, without a slash at its end: `https://www.example.com`, or with one wildcard for
 * exactly one leading label, `https://*.example.com`. Null for any other text. A wildcard directly under a top-level
 * domain is refused, because it would allow everyone.
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

/** How a form that was sent without scripts names the reason. */
export type OriginProblem = 'no-origin' | 'foreign-origin';

/**
 * Why a `foreign` origin is rejected: for people who write clients, and as the result of a form that was sent without
 * scripts.
 */
export function originRefusal(origin: string | undefined): {
  readonly message: string;
  readonly outcome: OriginProblem;
} {
  return origin === 'null'
    ? { message: NO_ORIGIN, outcome: 'no-origin' }
    : { message: 'pages of this origin may not use this API', outcome: 'foreign-origin' };
}

/** Anyone can send any origin; this limits memory and log. */
const MAX_LOGGED_ORIGINS = 100;
const MAX_ORIGIN_LENGTH = 300;

export interface OriginLogOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** `frame-refused`: the origin is that of the page around a form. */
  readonly event: 'origin-refused' | 'frame-refused';
  /** Says how to allow the origin. */
  readonly fix: string;
  /** Says what a page without an origin has to change. */
  readonly fixNull: string;
}

/** Logs a refused origin, each at most once an hour, and at most 100 of them in an hour. */
export function originRefusalLog({
  log,
  clock,
  event,
  fix,
  fixNull,
}: OriginLogOptions): (origin: string | undefined) => void {
  /** When each was logged, the oldest first. */
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

/** The origin if it is one. Anything else that a client puts into the header could be an address. */
function loggable(origin = ''): string {
  if (origin === 'null') return origin;
  return origin.length <= MAX_ORIGIN_LENGTH && URL.parse(origin)?.origin === origin ? origin : 'malformed';
}
