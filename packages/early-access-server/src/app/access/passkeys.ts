import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { isLoopback } from './loopback.ts';

export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME = 60;
/** How long a browser may take to respond to a challenge. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS;
/** Passkeys outlive sessions, so an old session that was stolen must not be able to add one. */
const FRESH_SESSION_MS = HOUR_MS;

/** The site that passkeys belong to: browsers bind each passkey to a domain. */
export interface PasskeySite {
  /** The domain; WebAuthn calls it the RP ID. */
  readonly domain: string;
  readonly origin: string;
}

/**
 * The site that passkeys belong to: the one in `PUBLIC_URL`, or `localhost` on a local run without it. Null if it is an
 * IP address, because browsers do not create passkeys for those.
 */
export function findPasskeySite(publicUrl: URL | null, pageOrigin: string | undefined): PasskeySite | null {
  const url = publicUrl ?? URL.parse(pageOrigin ?? '');
  if (url === null || (publicUrl === null && !isLoopback(url.hostname))) return null;
  const isAddress = /^\[|^[\d.]+$/.test(url.hostname);
  return isAddress ? null : { domain: url.hostname, origin: url.origin };
}

/** Returns whether the session is recent enough to add a passkey. */
export function mayAddPasskey({ created_at }: { readonly created_at: number }, now: number): boolean {
  return now - created_at < FRESH_SESSION_MS;
}

/**
 * Returns whether a passkey may sign in with this counter. Some authenticators do not count. If they do, the counter
 * must increase; otherwise the passkey was cloned.
 */
export function isCounterValid(stored: number, given: number): boolean {
  return given > stored || (given === 0 && stored === 0);
}
