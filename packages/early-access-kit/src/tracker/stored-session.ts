import { SESSION_EXPIRY_MS } from '../core/limits.ts';
import { isId } from '../core/random-id.ts';
import { isPositiveInteger, read, type UntrustedFields, write } from './local-storage.ts';
import { isVisitor, type Visitor } from './visitor.ts';

/**
 * A running session. Stored for all its tabs under the names of SPEC section 3; `isReturningVisitor` is derived from
 * the other fields.
 */
export interface Session extends Visitor {
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly pageViews: number;
}

const KEY = 'current_session';

/** Returns the stored session; false if it is too old, starts in the future, or is invalid. */
export function readSession(): Session | false {
  const stored = read(KEY);
  return isSession(stored) && ifLive(stored);
}

/**
 * Stores the session and returns it. A page view is added to the count of other tabs. If another live session is
 * already stored, it is not replaced: the first one wins.
 */
export function saveSession(session: Session, isPageView: boolean): Session {
  const stored = readSession() || session;
  const isOurs = stored.sessionId === session.sessionId;
  const pageViews = Math.max(session.pageViews, isOurs ? stored.pageViews : 0) + (isPageView ? 1 : 0);
  const saved = { ...session, pageViews };
  if (isOurs) write(KEY, JSON.stringify({ ...saved, isReturningVisitor: saved.totalSessions > 1 }));
  return saved;
}

/** Removes the stored session if it is this one. */
export function removeSession({ sessionId }: Session): void {
  if (read(KEY).sessionId === sessionId) write(KEY);
}

/** Returns the session if it is neither too old nor starts in the future, otherwise false. */
export function ifLive(session: Session): Session | false {
  const age = Date.now() - session.startTime;
  return age >= 0 && age <= SESSION_EXPIRY_MS && session;
}

function isSession(
  fields: UntrustedFields & Partial<Record<keyof Session, unknown>>,
): fields is UntrustedFields & Session {
  return (
    isVisitor(fields) &&
    isId(fields.sessionId) &&
    Number.isInteger(fields.startTime) &&
    isPositiveInteger(fields.pageViews)
  );
}
