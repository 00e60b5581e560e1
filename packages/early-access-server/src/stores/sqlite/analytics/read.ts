import type { DatabaseSync } from 'node:sqlite';
import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsFilter,
  type AnalyticsQuery,
  DIMENSIONS,
} from '../../../app/analytics/analytics.ts';
import { barOfDay, breakdowns, hasBarsOfDays, isFiltered } from '../../../app/analytics/analytics-of.ts';
import type { Touch } from '../../../app/analytics/touch.ts';
import { integer, integerOrNull, type Row, text } from '../../sql/row.ts';
import { inSnapshot } from '../transaction.ts';
import { DAY_MS, HOUR_MS, type Period, periodFigures, split, type Touches } from './period-figures.ts';

/** Reads the figures of the dashboard without reading every session. Equals `analyticsOf`. */
export function analyticsReader(db: DatabaseSync): (query: AnalyticsQuery, now: number) => Analytics {
  const bounds = db.prepare(`
    SELECT (SELECT min(session_start) FROM sessions WHERE touch_id IS NOT NULL) AS first_session,
      (SELECT max(session_start) FROM sessions WHERE touch_id IS NOT NULL) AS last_session,
      (SELECT min(created_at) FROM email_signups) AS first_signup, (SELECT max(created_at) FROM email_signups) AS last_signup
  `);
  const active = db.prepare(`
    SELECT count(*) AS visitors FROM (SELECT visitor_id FROM sessions WHERE session_start >= :since
      UNION SELECT visitor_id FROM sessions WHERE session_end >= :since)
  `);
  const robots = db.prepare(
    'SELECT coalesce(sum(robots), 0) AS robots FROM analytics_hours WHERE hour >= ? AND hour < ?',
  );
  const { figures, bars, signups, visitorsOfDays } = periodFigures(db);
  const touchesOf = touchesMatching(db);
  const countedTouches = touchCounts(db);

  return ({ buckets, end, previousStart, filter }, now) =>
    inSnapshot(db, () => {
      const row = bounds.get();
      const times = ['first_session', 'last_session', 'first_signup', 'last_signup']
        .map((name) => integerOrNull(row, name))
        .filter((time) => time !== null);
      const [first = null, last = 0] = times.length === 0 ? [] : [Math.min(...times), Math.max(...times)];
      /** Widens a period to whole units where nothing is stored beyond it, so that no rows have to be read there. */
      const widened = (period: Period, unit: number): Period => ({
        start: period.start <= (first ?? 0) ? Math.floor((first ?? 0) / unit) * unit : period.start,
        end: period.end > last ? (Math.floor(last / unit) + 1) * unit : period.end,
      });
      const start = buckets[0] ?? end;
      const touches = touchesOf(filter);
      const unit = touches === null ? HOUR_MS : DAY_MS;
      const periods = buckets.map((from, index) => widened({ start: from, end: buckets[index + 1] ?? end }, HOUR_MS));
      const byDays = touches !== null && hasBarsOfDays({ buckets, end, filter });
      const counted = byDays ? signups(periods, touches) : bars(periods, touches);
      for (const { time, visitors } of byDays ? visitorsOfDays(widened({ start, end }, DAY_MS), touches) : []) {
        const bar = counted[barOfDay({ buckets, end }, time)];
        if (bar !== undefined) bar.visitors += visitors;
      }
      return {
        figures: figures(widened({ start, end }, unit), touches),
        previous: previousStart === null ? null : figures(widened({ start: previousStart, end: start }, unit), touches),
        buckets: counted.map(({ visitors, signups }, index) => ({ start: buckets[index] ?? end, visitors, signups })),
        breakdowns: breakdowns((add) => {
          for (const counts of countedTouches(widened({ start, end }, DAY_MS), touches)) {
            add(toTouch(counts), integer(counts, 'visitors'), integer(counts, 'signups'));
          }
        }),
        active_visitors: integer(active.get({ since: now - ACTIVE_MS }), 'visitors'),
        first,
        robots: integer(robots.get(Math.ceil(start / HOUR_MS), Math.ceil(end / HOUR_MS)), 'robots'),
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
  const any = 'touch_id IS NOT NULL';
  const matching = 'touch_id IN (SELECT value FROM json_each(:touches))';
  const all = { days: ofDays(any), part: ofPartOfDay(any) };
  const some = { days: ofDays(matching), part: ofPartOfDay(matching) };
  return function* (period, touches) {
    const { days, part } = touches === null ? all : some;
    const bound = touches === null ? {} : { touches };
    const { body, edges } = split(period, DAY_MS);
    yield* days.iterate({ start: body.start / DAY_MS, end: body.end / DAY_MS, ...bound });
    for (const edge of edges) yield* part.iterate({ ...edge, ...bound });
  };
}

function toTouch(row: Row): Touch {
  return {
    referrer_host: text(row, 'referrer_host'),
    utm_source: text(row, 'utm_source'),
    utm_medium: text(row, 'utm_medium'),
    utm_campaign: text(row, 'utm_campaign'),
    landing_path: text(row, 'landing_path'),
    device_type: text(row, 'device_type'),
    browser: text(row, 'browser'),
    os: text(row, 'os'),
    visitor_type: text(row, 'visitor_type'),
  };
}
