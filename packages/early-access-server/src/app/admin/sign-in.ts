import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import type { AdminSession } from '../ports/admin-store.ts';

export const SIGN_IN_MINUTES = 15;
/**
 * Set in the browser that requested the link. The dashboard's script reads it: only this browser signs in without a
 * click, because a mail scanner never requested a link. It needs no secret. It works on Firebase Hosting, which passes
 * the cookie to browsers but not to functions.
 */
export const ASKED_COOKIE = 'early_access_asked';
/** A session ends after this time without use, and after `SESSION_MAX_MS` in any case. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MAX_MS = 7 * 24 * HOUR_MS;

/** Audit entries to store if the store has no setting of its own. */
export const DEFAULT_AUDIT_ENTRIES = 10_000;

export function signInExpiry(now: number): number {
  return now + SIGN_IN_MINUTES * MINUTE_MS;
}

export function isSignInTokenValid({ expires_at }: { readonly expires_at: number }, now: number): boolean {
  return now < expires_at;
}

export function newSession(
  email: string,
  { id, device }: Pick<AdminSession, 'id' | 'device'>,
  now: number,
): AdminSession {
  return { id, device, email, created_at: now, last_used_at: now };
}

export function isSessionValid({ created_at, last_used_at }: AdminSession, now: number): boolean {
  return now - last_used_at < SESSION_IDLE_MS && now - created_at < SESSION_MAX_MS;
}

/** Returns whether to record the session's use. At most once a minute, so that reads rarely cause writes. */
export function shouldMarkUsed({ last_used_at }: AdminSession, now: number): boolean {
  return now - last_used_at >= MINUTE_MS;
}

/** Returns the session with its last use updated. If the clock was set back, the later time remains. */
export function withLastUse(session: AdminSession, now: number): AdminSession {
  return { ...session, last_used_at: Math.max(session.last_used_at, now) };
}

const BROWSERS = [
  ['Edge', /Edg/],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
] as const;
const SYSTEMS = [
  ['iOS', /iPhone|iPad|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/** A device name for the list of sessions, derived from the `User-Agent` header: `Firefox on Windows`. */
export function describeDevice(userAgent: string | undefined): string {
  const start = (userAgent ?? '').slice(0, 500);
  const findName = (names: readonly (readonly [string, RegExp])[]) => names.find(([, sign]) => sign.test(start))?.[0];
  const [browser, system] = [findName(BROWSERS) ?? 'Another browser', findName(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
