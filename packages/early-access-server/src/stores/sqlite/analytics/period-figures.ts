import type { DatabaseSync } from 'node:sqlite';
import type { PeriodFigures } from '../../../app/analytics/analytics.ts';
import { addFigures, type Bar, toBar, toFigures } from '../../sql/figures-row.ts';
import { DAY_MS, HOUR_MS, type Period, split } from '../../sql/periods.ts';
import { integer } from '../../sql/row.ts';

/** The ids of touches in JSON; null for all. */
export type Touches = string | null;

const NAMES = ['sessions', 'bounces', 'duration', 'timed_sessions', 'engaged_sessions', 'signups'] as const;

const sumsOfTable = NAMES.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ');
const sumsOfRows = `
  count(*) AS sessions, coalesce(sum(is_bounce), 0) AS bounces, coalesce(sum(total_duration), 0) AS duration,
  coalesce(sum(total_duration > 0), 0) AS timed_sessions,
  coalesce(sum(total_duration >= 10 OR max_scroll_depth >= 50), 0) AS engaged_sessions
`;
const STARTED = 'session_start >= :start AND session_start < :end';
const MADE = 'created_at >= :start AND created_at < :end';
const MATCHING = 'touch_id IN (SELECT value FROM json_each(:touches))';
/** The sessions that are the first of their visitor in a period without a midnight. */
const FIRST = '(previous_start IS NULL OR previous_start < :start)';
const rowSums = (touch: string, visitors: string) => `
  SELECT ${sumsOfRows}, ${visitors} AS visitors,
    (SELECT count(*) FROM email_signups WHERE ${MADE} AND ${touch}) AS signups
  FROM sessions WHERE ${STARTED} AND ${touch}
`;

/** Figures of whole hours and days from their sums, and of the parts of an hour or a day at a period's edges from the rows. */
export function periodFigures(db: DatabaseSync) {
  const all = {
    unit: HOUR_MS,
    whole: db.prepare(`SELECT ${sumsOfTable}, 0 AS visitors FROM analytics_hours WHERE hour >= :start AND hour < :end`),
    rows: db.prepare(rowSums('TRUE', '0')),
    visitors: db.prepare(`SELECT count(*) AS visitors FROM sessions WHERE ${STARTED} AND ${FIRST}`),
  };
  const matching = {
    unit: DAY_MS,
    whole: db.prepare(`
      SELECT ${sumsOfTable}, coalesce(sum(visitors), 0) AS visitors FROM analytics_days
      WHERE day >= :start AND day < :end AND ${MATCHING}
    `),
    rows: db.prepare(rowSums(MATCHING, `coalesce(sum(${FIRST}), 0)`)),
    visitors: db.prepare(`SELECT count(*) AS visitors FROM sessions WHERE ${STARTED} AND ${MATCHING} AND ${FIRST}`),
    days: db.prepare(`
      SELECT day, sum(visitors) AS visitors FROM analytics_days
      WHERE day >= :start AND day < :end AND ${MATCHING} GROUP BY day
    `),
  };
  /** Sessions in whole hours whose visitor has an earlier one in them. */
  const returns = db.prepare(`
    SELECT coalesce(sum(returns.sessions), 0) AS sessions FROM analytics_hours CROSS JOIN returns
      ON returns.hour = analytics_hours.hour AND previous_hour >= :start
    WHERE analytics_hours.hour >= :start AND analytics_hours.hour < :end
  `);
  const bars = (visitors: string) =>
    db.prepare(`
      WITH bar AS MATERIALIZED (SELECT key, value ->> 0 AS first, value ->> 1 AS until FROM json_each(:periods))
      SELECT ${visitors} AS visitors,
        (SELECT count(*) FROM email_signups WHERE created_at >= first AND created_at < until AND ${MATCHING}) AS signups
      FROM bar ORDER BY key
    `);
  const exactBars = bars(
    `(SELECT count(DISTINCT visitor_id) FROM sessions WHERE session_start >= first AND session_start < until AND ${MATCHING})`,
  );
  const barsWithoutVisitors = bars('0');

  function sums(period: Period, touches: Touches): PeriodFigures {
    const { unit, whole, rows } = touches === null ? all : matching;
    const bound = touches === null ? {} : { touches };
    const { body, edges } = split(period, unit);
    return [
      whole.get({ start: body.start / unit, end: body.end / unit, ...bound }),
      ...edges.map((edge) => rows.get({ ...edge, ...bound })),
    ]
      .map(toFigures)
      .reduce(addFigures);
  }

  function distinctVisitors(period: Period, sessions: number): number {
    if (period.start % HOUR_MS !== 0 || period.end % HOUR_MS !== 0)
      return integer(all.visitors.get({ ...period }), 'visitors');
    return sessions - integer(returns.get({ start: period.start / HOUR_MS, end: period.end / HOUR_MS }), 'sessions');
  }

  function figures(period: Period, touches: Touches): PeriodFigures {
    const summed = sums(period, touches);
    return touches === null ? { ...summed, visitors: distinctVisitors(period, summed.sessions) } : summed;
  }

  return {
    figures,
    /** The bars of periods, with the visitors of a filter from the rows. */
    bars(periods: readonly Period[], touches: Touches): Bar[] {
      if (touches === null) return periods.map((period) => figures(period, touches));
      return exactBars.all({ periods: toList(periods), touches }).map(toBar);
    },
    /** The bars of periods without visitors: only with the signups of a filter. */
    signups(periods: readonly Period[], touches: string): Bar[] {
      return barsWithoutVisitors.all({ periods: toList(periods), touches }).map(toBar);
    },
    /** The visitors of a filter on each UTC day of a period, or on the part of the day within it. */
    visitorsOfDays(period: Period, touches: string): { readonly time: number; readonly visitors: number }[] {
      const { body, edges } = split(period, DAY_MS);
      return [
        ...matching.days
          .all({ start: body.start / DAY_MS, end: body.end / DAY_MS, touches })
          .map((row) => ({ time: integer(row, 'day') * DAY_MS, visitors: integer(row, 'visitors') })),
        ...edges.map((edge) => ({
          time: edge.start,
          visitors: integer(matching.visitors.get({ ...edge, touches }), 'visitors'),
        })),
      ];
    },
  };
}

function toList(periods: readonly Period[]): string {
  return JSON.stringify(periods.map(({ start, end }) => [start, end]));
}
