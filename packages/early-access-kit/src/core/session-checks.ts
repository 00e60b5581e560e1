import { CLOCK_TOLERANCE_MS, DURATION_TOLERANCE_S } from './limits.ts';

/**
 * Corrects times from a wrong visitor clock: a start more than a day away from the store's clock is replaced by `now`,
 * and no session ends before its start or in the future.
 *
 * @example
 * const session = clampTimes(received, Date.now());
 */
export function clampTimes<T extends { session_start: number; session_end?: number | null }>(
  session: T,
  now: number,
): T {
  const isWrong = Math.abs(now - session.session_start) > CLOCK_TOLERANCE_MS;
  const session_start = isWrong ? now : session.session_start;
  const clamped = { ...session, session_start };
  if (typeof session.session_end !== 'number') return clamped;
  return { ...clamped, session_end: Math.max(session_start, Math.min(session.session_end, now)) };
}

/**
 * Limits `total_duration` to the time since `sessionStart` on the store's clock plus a minute, so that one forged
 * session cannot distort the average. `sessionStart` is the stored start, which an update cannot change.
 *
 * @example
 * clampDuration(totals, stored.session_start, Date.now());
 */
export function clampDuration<T extends { total_duration: number }>(totals: T, sessionStart: number, now: number): T {
  const longest = Math.max(0, Math.floor((now - sessionStart) / 1000)) + DURATION_TOLERANCE_S;
  return { ...totals, total_duration: Math.min(totals.total_duration, longest) };
}

/**
 * Names of crawlers; signs that only bots have: a URL of a page about them, or the word "compatible" without Internet
 * Explorer; and names of tools that measure pages. "cubot" and "Spider 8" are phones.
 */
const ROBOT =
  /([^u]|[^c]u)bot|crawl|spider(?! \d)|preview|external|google[-o]|-google|compatible;(?! msie)|http|lighthouse|ptst|monitor|synthetic/i;

/** Returns whether a user agent is a bot's, such as one of a search engine, a link preview or a page speed service. */
export function isRobot(userAgent: string): boolean {
  return ROBOT.test(userAgent);
}
