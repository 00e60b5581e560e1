import { SESSION_EXPIRY_MS } from '../core/limits.ts';
import { isId, isWhole, read, type UntrustedFields, write } from './local-storage.ts';
import type { Visitor } from './visitor.ts';

/** A visit under way. Stored, for every tab of it, with the names of SPEC section 3; `isReturningVisitor` follows from the rest. */
export interface Session extends Visitor {
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly pageViews: number;
}

const KEY = 'current_session';

/** The stored session, unless it is too old, starts in the future, or is no session at all. */
export function readSession(): Session | undefined {
  const stored = read(KEY);
  return isSession(stored) && isLive(stored) ? stored : undefined;
}

/**
 * Stores the session, with one more page view if there is one on top of those that other tabs have counted, and answers with it.
 * Where another live session is stored, that stays: whoever stored first wins.
 */
export function keepSession(session: Session, isPageView: boolean): Session {
  const stored = readSession() ?? session;
  const isOurs = stored.sessionId === session.sessionId;
  const pageViews = Math.max(session.pageViews, isOurs ? stored.pageViews : 0) + Number(isPageView);
  const kept = { ...session, pageViews };
  if (isOurs) write(KEY, JSON.stringify({ ...kept, isReturningVisitor: kept.totalSessions > 1 }));
  return kept;
}

/** Removes the stored session if it is this one. */
export function forgetSession({ sessionId }: Session): void {
  if (read(KEY).sessionId === sessionId) write(KEY);
}

/** Puts the session back, as it was stored last, when the end of another tab of it has removed it. */
export function restoreSession({ sessionId }: Session, { key, newValue, oldValue }: StorageEvent): void {
  if (key === KEY && !newValue && oldValue?.includes(sessionId) && !readSession()) write(KEY, oldValue);
}

export function isLive({ startTime }: Session): boolean {
  const age = Date.now() - startTime;
  return age >= 0 && age <= SESSION_EXPIRY_MS;
}

function isSession(
  fields: UntrustedFields & Partial<Record<keyof Session, unknown>>,
): fields is UntrustedFields & Session {
  return (
    isId(fields.sessionId) &&
    isId(fields.visitorId) &&
    isWhole(fields.startTime, 9e15) &&
    isWhole(fields.pageViews) &&
    isWhole(fields.totalSessions)
  );
}
