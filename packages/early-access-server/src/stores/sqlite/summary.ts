import type { DatabaseSync } from 'node:sqlite';
import { type AnalyticsSummary, analyticsWindowStart, type SessionSums, toSummary } from 'early-access-kit/core';
import { integer, type Row } from '../sql/row.ts';
import { HOUR_MS } from './session-hours.ts';
import { inSnapshot } from './transaction.ts';

/**
 * Reads the analytics summary without reading every session: the sums of the whole hours inside the window, and single sessions and
 * visitors only for the part of an hour at its edge. Equals core's `summarize`.
 */
export function summaryReader(db: DatabaseSync, countSignups: () => number): (now: number) => AnalyticsSummary {
  const wholeHours = db.prepare(`
    SELECT coalesce(sum(sessions), 0) AS sessions, coalesce(sum(bounces), 0) AS bounces,
      coalesce(sum(duration), 0) AS duration, coalesce(sum(timed_sessions), 0) AS timed_sessions,
      coalesce(sum(visitors), 0) AS visitors
    FROM session_hours WHERE hour >= ?
  `);
  const partOfHour = db.prepare(`
    SELECT count(*) AS sessions, coalesce(sum(is_bounce), 0) AS bounces,
      coalesce(sum(total_duration), 0) AS duration, coalesce(sum(total_duration > 0), 0) AS timed_sessions
    FROM sessions WHERE session_start >= ? AND session_start < ?
  `);
  const visitorsInPart = db.prepare('SELECT count(*) AS visitors FROM visitors WHERE last_seen >= ? AND last_seen < ?');

  return (now) =>
    inSnapshot(db, () => {
      const edge = analyticsWindowStart(now);
      const firstWholeHour = Math.ceil(edge / HOUR_MS);
      const hours = wholeHours.get(firstWholeHour);
      const part: [number, number] = [edge, firstWholeHour * HOUR_MS];
      const [whole, rest] = [toSums(hours), toSums(partOfHour.get(...part))];
      const visitors = integer(hours, 'visitors') + integer(visitorsInPart.get(...part), 'visitors');
      const sums = {
        sessions: whole.sessions + rest.sessions,
        bounces: whole.bounces + rest.bounces,
        duration: whole.duration + rest.duration,
        timed_sessions: whole.timed_sessions + rest.timed_sessions,
      };
      return toSummary(sums, visitors, countSignups());
    });
}

function toSums(row: Row | undefined): SessionSums {
  return {
    sessions: integer(row, 'sessions'),
    bounces: integer(row, 'bounces'),
    duration: integer(row, 'duration'),
    timed_sessions: integer(row, 'timed_sessions'),
  };
}
