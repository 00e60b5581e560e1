import { ANALYTICS_WINDOW_MS } from './limits.ts';
import type { AnalyticsSummary, SessionRecord, SessionStart, SessionTotals, SessionUpdate } from './records.ts';

/** The totals of a session that has just started: one page view and nothing else. */
export const INITIAL_TOTALS: SessionTotals = {
  session_end: null,
  page_count: 1,
  total_duration: 0,
  max_scroll_depth: 0,
  click_count: 0,
};

/**
 * Separates the totals of a session, and the path of an update, from its other fields.
 *
 * @example
 * const { start, totals } = splitTotals(clampTimes(update, now));
 */
export function splitTotals<T extends SessionTotals & Pick<SessionUpdate, 'page_path'>>({
  session_end,
  page_count,
  total_duration,
  max_scroll_depth,
  click_count,
  page_path,
  ...start
}: T) {
  return { totals: { session_end, page_count, total_duration, max_scroll_depth, click_count }, page_path, start };
}

/** A session with one page view is a bounce. */
export function isBounce(pageCount: number): boolean {
  return pageCount <= 1;
}

/**
 * Returns the record to store for a new session, or for an update that arrives before its session's start.
 *
 * @example
 * const stored = toSessionRecord(clampTimes(session, Date.now()));
 */
export function toSessionRecord(start: SessionStart, totals: SessionTotals = INITIAL_TOTALS): SessionRecord {
  return { ...start, ...totals, is_bounce: isBounce(totals.page_count) };
}

/**
 * Merges an update into the stored record. Totals merge by maximum and the start fields of `stored` never change, so
 * updates may arrive late, twice, out of order or from several tabs of the same session: the result is the same.
 *
 * @example
 * const merged = mergeSession(stored, clampDuration(totals, stored.session_start, now));
 */
export function mergeSession(stored: SessionRecord, totals: SessionTotals): SessionRecord {
  return toSessionRecord(stored, {
    session_end: latest(stored.session_end, totals.session_end),
    page_count: Math.max(stored.page_count, totals.page_count),
    total_duration: Math.max(stored.total_duration, totals.total_duration),
    max_scroll_depth: Math.max(stored.max_scroll_depth, totals.max_scroll_depth),
    click_count: Math.max(stored.click_count, totals.click_count),
  });
}

function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

/**
 * The sums that a summary is computed from. Sums can be added, so stores can save them per hour instead of reading all
 * sessions.
 */
export interface SessionSums {
  readonly sessions: number;
  readonly bounces: number;
  /** Total visible seconds of all sessions. */
  readonly duration: number;
  /** Number of sessions with a positive duration. */
  readonly timed_sessions: number;
}

/** Returns a percentage with two decimals; 0 if there are no sessions. */
export function bounceRate({ sessions, bounces }: Pick<SessionSums, 'sessions' | 'bounces'>): number {
  return sessions === 0 ? 0 : Math.round((bounces / sessions) * 10_000) / 100;
}

/** Returns whole seconds, averaged over the sessions with a positive duration; 0 if there are none. */
export function averageDuration({
  duration,
  timed_sessions,
}: Pick<SessionSums, 'duration' | 'timed_sessions'>): number {
  return timed_sessions === 0 ? 0 : Math.round(duration / timed_sessions);
}

/**
 * The analytics summary of these sums.
 *
 * @example
 * toSummary({ sessions: 10, bounces: 4, duration: 620, timed_sessions: 8 }, 9, 3);
 */
export function toSummary(sums: SessionSums, uniqueVisitors: number, emailSignups: number): AnalyticsSummary {
  return {
    unique_visitors: uniqueVisitors,
    email_signups: emailSignups,
    bounce_rate: bounceRate(sums),
    average_duration: averageDuration(sums),
  };
}

/**
 * Returns the earliest `session_start` that the summary at `now` includes.
 *
 * @example
 * db.prepare('SELECT … WHERE session_start >= ?').get(analyticsWindowStart(Date.now()));
 */
export function analyticsWindowStart(now: number): number {
  return now - ANALYTICS_WINDOW_MS;
}

/**
 * Computes the summary from all sessions. This is its definition: stores that save sums instead must return the same
 * result.
 */
export function summarize(sessions: Iterable<SessionRecord>, emailSignups: number, now: number): AnalyticsSummary {
  const visitors = new Set<string>();
  const sums = { sessions: 0, bounces: 0, duration: 0, timed_sessions: 0 };
  for (const session of sessions) {
    if (session.session_start < analyticsWindowStart(now)) continue;
    visitors.add(session.visitor_id);
    sums.sessions += 1;
    sums.bounces += session.is_bounce ? 1 : 0;
    sums.duration += session.total_duration;
    sums.timed_sessions += session.total_duration > 0 ? 1 : 0;
  }
  return toSummary(sums, visitors.size, emailSignups);
}
