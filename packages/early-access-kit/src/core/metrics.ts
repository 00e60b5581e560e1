import { ANALYTICS_WINDOW_MS } from './limits.ts';
import type { AnalyticsSummary, SessionRecord, SessionStart, SessionTotals } from './records.ts';

/** The totals of a visit that has just begun: its first page view and nothing else. */
export const INITIAL_TOTALS: SessionTotals = {
  session_end: null,
  page_count: 1,
  total_duration: 0,
  max_scroll_depth: 0,
  click_count: 0,
};

/** A session with one page view is a bounce. */
export function isBounce(pageCount: number): boolean {
  return pageCount <= 1;
}

export function toSessionRecord(start: SessionStart, totals: SessionTotals = INITIAL_TOTALS): SessionRecord {
  return { ...start, ...totals, is_bounce: isBounce(totals.page_count) };
}

/**
 * Adds a flush to what is kept. Totals merge by maximum and the start fields of `kept` stand, so that flushes may come
 * late, twice, out of order or from several tabs of the same visit: the result is the same.
 */
export function mergeSession(kept: SessionRecord, totals: SessionTotals): SessionRecord {
  return toSessionRecord(kept, {
    session_end: latest(kept.session_end, totals.session_end),
    page_count: Math.max(kept.page_count, totals.page_count),
    total_duration: Math.max(kept.total_duration, totals.total_duration),
    max_scroll_depth: Math.max(kept.max_scroll_depth, totals.max_scroll_depth),
    click_count: Math.max(kept.click_count, totals.click_count),
  });
}

function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

/** Sums that a summary is made of. They can be added up, so that stores may keep them per hour instead of reading sessions. */
export interface SessionSums {
  readonly sessions: number;
  readonly bounces: number;
  /** Seconds, over all of them. */
  readonly duration: number;
  /** How many have a positive duration. */
  readonly timed_sessions: number;
}

/** Percent with two decimals; 0 for no sessions. */
export function bounceRate({ sessions, bounces }: Pick<SessionSums, 'sessions' | 'bounces'>): number {
  return sessions === 0 ? 0 : Math.round((bounces / sessions) * 10_000) / 100;
}

/** Whole seconds over the sessions with a positive duration; 0 for none. */
export function averageDuration({
  duration,
  timed_sessions,
}: Pick<SessionSums, 'duration' | 'timed_sessions'>): number {
  return timed_sessions === 0 ? 0 : Math.round(duration / timed_sessions);
}

export function toSummary(sums: SessionSums, uniqueVisitors: number, emailSignups: number): AnalyticsSummary {
  return {
    unique_visitors: uniqueVisitors,
    email_signups: emailSignups,
    bounce_rate: bounceRate(sums),
    average_duration: averageDuration(sums),
  };
}

/** The earliest `session_start` that the summary at `now` counts. */
export function analyticsWindowStart(now: number): number {
  return now - ANALYTICS_WINDOW_MS;
}

/** The summary by definition, from every session. Stores that hold many keep sums instead; this is what they must equal. */
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
