import { CLOCK_TOLERANCE_MS, DURATION_TOLERANCE_S } from './limits.ts';

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

/**
 * Bounds `total_duration` by the time since `sessionStart` on the store's clock, plus a minute, so that one forged session cannot spoil
 * the average. `sessionStart` is the start as stored, which an update cannot change.
 */
export function believableTotals<T extends { total_duration: number }>(
  totals: T,
  sessionStart: number,
  now: number,
): T {
  const longest = Math.max(0, Math.floor((now - sessionStart) / 1000)) + DURATION_TOLERANCE_S;
  return { ...totals, total_duration: Math.min(totals.total_duration, longest) };
}
