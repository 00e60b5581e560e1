import { CLOCK_TOLERANCE_MS } from './limits.ts';

/**
 * A visitor's clock may be wrong: a start that is more than a day from the store's own clock is replaced by `now`,
 * and no visit ends before its start or in the future.
 */
export function believableTimes<T extends { session_start: number; session_end?: number | null }>(
  session: T,
  now: number,
): T {
  const wrong = Math.abs(now - session.session_start) > CLOCK_TOLERANCE_MS;
  const start = wrong ? now : session.session_start;
  const believed = { ...session, session_start: start };
  if (typeof session.session_end !== 'number') return believed;
  return { ...believed, session_end: Math.max(start, Math.min(session.session_end, now)) };
}
