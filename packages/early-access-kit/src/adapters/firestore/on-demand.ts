/**
 * Code that is only needed if the rules deny a write, if the visitor's clock is wrong, for direct signups, for the
 * SDK's objects or for the admin. Most pages never load it.
 */
import { StorageError } from '../../core/errors.ts';
import { CLOCK_TOLERANCE_MS, MAX_TOTAL } from '../../core/limits.ts';
import { codeOfStatus } from '../../core/protocol.ts';
import type { AnalyticsSummary, SessionStart, SessionUpdate } from '../../core/records.ts';
import { clampDuration, clampTimes } from '../../core/session-checks.ts';
import { parseSessionStart, parseSessionUpdate } from '../../core/validation.ts';
import type { Calls, Connection } from './calls.ts';
import { isMissing, refusal } from './direct-signups.ts';
import type { SdkApp } from './options.ts';

/** A session with its start fields and totals, and the path of its page. */
export type FullSession = SessionStart & SessionUpdate;

export { httpAdapter } from '../http.ts';
export { createDirectly } from './direct-signups.ts';

/** Only called by the admin overlay. */
export async function readSummary({ call }: Calls, adminEmail: string): Promise<AnalyticsSummary> {
  const summary = await call<AnalyticsSummary>('read-analytics', { adminEmail });
  if (typeof summary?.unique_visitors !== 'number') throw new TypeError('not a summary');
  return summary;
}

/** Reads a document that cannot exist, because real ids are longer: an allowed read also returns the store's time. */
export function readTime(calls: Calls, name: Connection['name']): Promise<boolean> {
  return isMissing(calls, name('visitors', 'nobody'));
}

/** Returns why the rules denied a session. */
export function sessionRefusal(session: FullSession): StorageError {
  return refusal(() => {
    parseSessionStart(session);
    parseSessionUpdate(session);
  });
}

/**
 * Returns the session with times and a duration that the rules accept. `storedStart` is its start as stored, if known;
 * `aheadMs` is how far the store's clock is ahead of the visitor's.
 */
export function toStoreTime(session: FullSession, storedStart: number | undefined, aheadMs: number): FullSession {
  const now = Date.now() + aheadMs;
  const { session_start, session_end, total_duration } = session;
  // Checked here, because the limit below hides it from the rules.
  if (total_duration > MAX_TOTAL.total_duration) throw new StorageError('invalid', 'total_duration is too high');
  // A clock that is days off is shifted to the store's. Other clocks are not, because all pages of a session must agree
  // on its start.
  const shift = Math.abs(now - session_start) > CLOCK_TOLERANCE_MS ? aheadMs : 0;
  const moved = { ...session, session_start: session_start + shift, session_end: session_end && session_end + shift };
  const clamped = clampTimes(moved, now);
  return clampDuration(clamped, storedStart ?? clamped.session_start, now);
}

/** Returns the error for a non-2xx response. The body is Google's JSON error or a proxy's page. */
export function toFailure({ status, headers }: Response, body: string): StorageError {
  // A missing function and contention have other causes than the data.
  const mayPass = status === 404 || status === 409;
  return new StorageError(mayPass ? 'unavailable' : codeOfStatus(status), `${status} ${body.slice(0, 300)}`, {
    retryAfter: Number(headers.get('Retry-After')) || undefined,
    visitorText: readVisitorText(body),
  });
}

function readVisitorText(body: string): string | undefined {
  try {
    return JSON.parse(body).error.text;
  } catch {}
}

/**
 * Returns the current token of Auth or App Check; undefined if the page does not use the service or nobody is signed
 * in. Looked up for each call, because a page may start the service later.
 */
export async function appToken(app: SdkApp, service: 'app-check' | 'auth'): Promise<string | undefined> {
  const found = await app.container?.getProvider(`${service}-internal`).getImmediate({ optional: true })?.getToken();
  return found?.accessToken ?? found?.token;
}
