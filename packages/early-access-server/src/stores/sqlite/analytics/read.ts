import type { DatabaseSync } from 'node:sqlite';
import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsFilter,
  type AnalyticsQuery,
  DIMENSIONS,
  TALLIES,
  talliesOf,
} from '../../../app/analytics/analytics.ts';
import { breakdowns, isFiltered } from '../../../app/analytics/analytics-of.ts';
import { addVisitors, storedTimes, toBuckets, toTouch } from '../../sql/figures-row.ts';
import { DAY_MS, type Period, periodsOf, split } from '../../sql/periods.ts';
import { integer, type Row, text } from '../../sql/row.ts';
import { inSnapshot } from '../transaction.ts';
import { periodFigures, type Touches } from './period-figures.ts';

/** Reads the figures of the dashboard without reading every session. Equals `analyticsOf`. */
export function analyticsReader(db: DatabaseSync): (query: AnalyticsQuery, now: number) => Analytics {
  const bounds = db.prepare(`
    SELECT (SELECT min(session_start) FROM sessions) AS first_session, (SELECT max(session_start) FROM sessions) AS last_session,
      (SELECT min(created_at) FROM email_signups) AS first_signup, (SELECT max(created_at) FROM email_signups) AS last_signup
  `);
  const active = db.prepare(`
    SELECT count(*) AS visitors FROM (SELECT +visitor_id FROM sessions WHERE session_start >= :since
      UNION SELECT +visitor_id FROM sessions WHERE session_end >= :since)
  `);
  const sums = TALLIES.map((tally) => `coalesce(sum(${tally}), 0) AS ${tally}`).join(', ');
  const tallies = db.prepare(`SELECT ${sums} FROM analytics_hours WHERE hour >= ? AND hour < ?`);
  const { figures, bars, signups, visitorsOfDays } = periodFigures(db);
  const touchesOf = touchesMatching(db);
  const countedTouches = touchCounts(db);

  return (query, now) =>
    inSnapshot(db, () => {
      const {
        first,
        period,
        previous,
        bars: periods,
        days,
        hasBarsOfDays,
        tallyHours,
      } = periodsOf(query, storedTimes(bounds.get()));
      const touches = touchesOf(query.filter);
      const counts = tallies.get(tallyHours.start, tallyHours.end);
      const byDays = touches !== null && hasBarsOfDays;
      const counted = byDays ? signups(periods, touches) : bars(periods, touches);
      addVisitors(query, counted, byDays ? visitorsOfDays(days, touches) : []);
      return {
        figures: figures(period, touches),
        previous: previous === null ? null : figures(previous, touches),
        buckets: toBuckets(query, counted),
        breakdowns: breakdowns((add) => {
          for (const counts of countedTouches(days, touches)) {
            add(toTouch(counts), integer(counts, 'visitors'), integer(counts, 'signups'));
          }
        }),
        active_visitors: integer(active.get({ since: now - ACTIVE_MS }), 'visitors'),
        first,
        tallies: talliesOf((tally) => integer(counts, tally)),
      };
    });
}

/** Returns the touches with all values of the filter. */
function touchesMatching(db: DatabaseSync): (filter: AnalyticsFilter) => Touches {
  const conditions = DIMENSIONS.map((dimension) => `(:${dimension} IS NULL OR ${dimension} = :${dimension})`);
  const find = db.prepare(`SELECT json_group_array(id) AS ids FROM touches WHERE ${conditions.join(' AND ')}`);
  return (filter) => {
    if (!isFiltered(filter)) return null;
    return text(find.get(Object.fromEntries(DIMENSIONS.map((name) => [name, filter[name] ?? null]))), 'ids');
  };
}

/** Returns touches with the visitors and signups that breakdowns count for them; a touch may be in several rows. */
function touchCounts(db: DatabaseSync): (period: Period, touches: Touches) => Iterable<Row> {
  const ofDays = (touch: string) =>
    db.prepare(`
      SELECT touches.*, visitors, signups FROM (
        SELECT touch_id, sum(visitors) AS visitors, sum(signups) AS signups FROM analytics_days
        WHERE day >= :start AND day < :end AND ${touch} GROUP BY touch_id
      ) JOIN touches ON id = touch_id
    `);
  const ofPartOfDay = (touch: string) =>
    db.prepare(`
      SELECT touches.*, visitors, signups FROM (
        SELECT touch_id, count(*) AS visitors, 0 AS signups FROM sessions
        WHERE session_start >= :start AND session_start < :end AND (previous_start IS NULL OR previous_start < :start)
          AND ${touch} GROUP BY touch_id
        UNION ALL SELECT touch_id, 0, count(*) FROM email_signups
        WHERE created_at >= :start AND created_at < :end AND ${touch} GROUP BY touch_id
      ) JOIN touches ON id = touch_id
    `);
  const matching = 'touch_id IN (SELECT value FROM json_each(:touches))';
  const all = { days: ofDays('TRUE'), part: ofPartOfDay('TRUE') };
  const some = { days: ofDays(matching), part: ofPartOfDay(matching) };
  return function* (period, touches) {
    const { days, part } = touches === null ? all : some;
    const bound = touches === null ? {} : { touches };
    const { body, edges } = split(period, DAY_MS);
    yield* days.iterate({ start: body.start / DAY_MS, end: body.end / DAY_MS, ...bound });
    for (const edge of edges) yield* part.iterate({ ...edge, ...bound });
  };
}
