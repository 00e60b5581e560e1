import { type AnalyticsSummary, analyticsWindowStart, HOUR_MS, toSummary } from 'early-access-kit/internal';
import { integer, integers } from './row.ts';
import { sql, type Transaction } from './statement.ts';

/**
 * Reads the analytics summary from hourly totals. Single sessions are only read for the partial hour at the start of
 * its window. The result equals core's `summarize`. The distinct visitors since a time are the sessions minus those
 * that follow another one of the same visitor since then.
 */
export function* readSummary(now: number): Transaction<AnalyticsSummary> {
  const start = analyticsWindowStart(now);
  const firstWholeHour = Math.ceil(start / HOUR_MS);
  const end = firstWholeHour * HOUR_MS;
  const [row] = yield* sql`
    SELECT totals.signups, hours.sessions + edge.sessions AS sessions, hours.bounces + edge.bounces AS bounces,
      hours.duration + edge.duration AS duration, hours.timed_sessions + edge.timed_sessions AS timed_sessions,
      hours.sessions + edge.sessions - hours.followed - (
        SELECT count(*) FROM @sessions WHERE previous_start >= ${start} AND previous_start < ${end}
      ) AS visitors
    FROM @totals AS totals CROSS JOIN (
      SELECT CAST(coalesce(sum(sessions), 0) AS bigint) AS sessions, CAST(coalesce(sum(bounces), 0) AS bigint) AS bounces,
        CAST(coalesce(sum(duration), 0) AS bigint) AS duration, CAST(coalesce(sum(timed_sessions), 0) AS bigint) AS timed_sessions,
        CAST(coalesce(sum(followed), 0) AS bigint) AS followed
      FROM @analytics_hours WHERE hour >= ${firstWholeHour}
    ) AS hours CROSS JOIN (
      SELECT count(*) AS sessions, CAST(coalesce(sum(is_bounce), 0) AS bigint) AS bounces,
        CAST(coalesce(sum(total_duration), 0) AS bigint) AS duration, count(*) FILTER (WHERE total_duration > 0) AS timed_sessions
      FROM @sessions WHERE session_start >= ${start} AND session_start < ${end}
    ) AS edge
  `;
  const sums = integers(row, ['sessions', 'bounces', 'duration', 'timed_sessions']);
  return toSummary(sums, integer(row, 'visitors'), integer(row, 'signups'));
}
