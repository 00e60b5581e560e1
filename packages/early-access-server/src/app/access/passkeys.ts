import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { isLoopback } from './loopback.ts';

export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME = 60;
/** How long a browser has to answer a challenge. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS;
/** A passkey outlives sessions, so an old session that someone has taken over cannot add one. */
const FRESH_SESSION_MS = HOUR_MS;

/** Where passkeys work: browsers bind each to a domain. */
export interface PasskeySite {
  /** The domain, which the standard calls RP ID. */
  readonly domain: string;
  readonly origin: string;
}

/**
 * The site whose passkeys count: that of `PUBLIC_URL`, or of a local run without one the page at `localhost`. Null:
 * none, because browsers make no passkeys for an IP address.
 */
export function findPasskeySite(publicUrl: URL | null, pageOrigin: string | undefined): PasskeySite | null {
  const url = publicUrl ?? URL.parse(pageOrigin ?? '');
  if (url === null || (publicUrl === null && !isLoopback(url.hostname))) return null;
  const isAddress = /^\[|^[\d.]+$/.test(url.hostname);
  return isAddress ? null : { domain: url.hostname, origin: url.origin };
}

/** Whether a session is new enough to add a passkey. */
export function mayAddPasskey({ created_at }: { readonly created_at: number }, now: number): boolean {
  return now - created_at < FRESH_SESSION_MS;
}

/**
 * Whether a passkey may sign in with this counter. Some never count. One that counts must go up, otherwise there is a
 * copy of it.
 */
export function isCounterValid(stored: number, given: number): boolean {
  return given > stored || (given === 0 && stored === 0);
}
