import type { PeriodFigures } from '../../../app/analytics/analytics.ts';
import { addFigures, type Bar, NO_FIGURES, toBar, toFigures } from '../../sql/figures-row.ts';
import { DAY_MS, HOUR_MS, type Period, split } from '../../sql/periods.ts';
import { integer, type Row } from '../../sql/row.ts';
import type { Queries } from '../connection.ts';

/** The ids of touches; null for all. */
export type Touches = readonly number[] | null;

const NAMES = ['sessions', 'bounces', 'duration', 'timed_sessions', 'engaged_sessions', 'signups'] as const;

const sumOf = (value: string, name: string) => `coalesce(sum(${value}), 0)::bigint AS ${name}`;
const SUMS_OF_TABLE = NAMES.map((name) => sumOf(name, name)).join(', ');
const SUMS_OF_ROWS = [
  'count(*) AS sessions',
  sumOf('is_bounce', 'bounces'),
  sumOf('total_duration', 'duration'),
  'count(*) FILTER (WHERE total_duration > 0) AS timed_sessions',
  'count(*) FILTER (WHERE total_duration >= 10 OR max_scroll_depth >= 50) AS engaged_sessions',
].join(', ');

/** A period that belongs to the one at `position` in a list. */
interface Part extends Period {
  readonly position: number;
}

/**
 * Figures of whole hours and days from their sums, and of the parts of an hour or a day at a period's edges from the rows. They take a few
 * statements for any number of periods.
 */
export function periodFigures(sql: Queries) {
  const matching = (touches: Touches) =>
    touches === null ? sql`true` : sql`touch_id = ANY(${[...touches]}::bigint[])`;
  const partsTable = (parts: readonly Part[]) => sql`
    unnest(${parts.map(({ position }) => position)}::bigint[], ${parts.map(({ start }) => start)}::bigint[],
      ${parts.map(({ end }) => end)}::bigint[]) AS part (position, first, until)
  `;

  function wholeUnits(parts: readonly Part[], touches: Touches) {
    const [table, unit, visitors] =
      touches === null
        ? ['analytics_hours', 'hour', '0 AS visitors']
        : ['analytics_days', 'day', sumOf('visitors', 'visitors')];
    return sql`
      SELECT part.position, sums.* FROM ${partsTable(parts)} CROSS JOIN LATERAL (
        SELECT ${sql.unsafe(`${SUMS_OF_TABLE}, ${visitors}`)} FROM ${sql.unsafe(`early_access.${table}`)}
        WHERE ${sql.unsafe(unit)} >= part.first AND ${sql.unsafe(unit)} < part.until AND ${matching(touches)}
      ) AS sums
    `;
  }

  /** With the visitors of a filter; those of all are counted by `distinctVisitors`. */
  function partsOfUnits(parts: readonly Part[], touches: Touches) {
    return sql`
      SELECT part.position, sums.*, made.* FROM ${partsTable(parts)} CROSS JOIN LATERAL (
        SELECT ${sql.unsafe(SUMS_OF_ROWS)},
          count(*) FILTER (WHERE ${touches !== null} AND (previous_start IS NULL OR previous_start < part.first)) AS visitors
        FROM early_access.sessions WHERE session_start >= part.first AND session_start < part.until AND ${matching(touches)}
      ) AS sums CROSS JOIN LATERAL (
        SELECT count(*) AS signups FROM early_access.email_signups
        WHERE created_at >= part.first AND created_at < part.until AND ${matching(touches)}
      ) AS made
    `;
  }

  /**
   * A visitor's sessions in a period are one more than those of them that follow another one in it. These are known for sessions of whole
   * hours that follow one of them, and counted for the sessions before and after them.
   */
  async function distinctVisitors(periods: readonly Period[], sessions: readonly number[]): Promise<number[]> {
    const parts = periods.map((period, position) => {
      const { body, edges } = split(period, HOUR_MS);
      const isWithinHour = body.start > period.end;
      const before = isWithinHour ? undefined : edges.find(({ start }) => start < body.start);
      return { position, period, body, before, after: edges.find((edge) => edge !== before) };
    });
    const whole = parts.map(({ position, body }) => ({ position, ...inUnits(body, HOUR_MS) }));
    const before = parts.flatMap(({ position, before, body }) =>
      before === undefined ? [] : [{ position, ...before, bodyEnd: body.end }],
    );
    const after = parts.flatMap(({ position, period, after }) =>
      after === undefined ? [] : [{ position, ...after, periodStart: period.start }],
    );
    const counts: Row[] = [];
    counts.push(
      ...(await sql`
        SELECT part.position, coalesce(sum(returns.sessions), 0)::bigint AS sessions FROM ${partsTable(whole)}
        JOIN early_access.analytics_hours AS hours ON hours.hour >= part.first AND hours.hour < part.until
        JOIN early_access.returns ON returns.hour = hours.hour AND returns.previous_hour >= part.first GROUP BY 1
      `),
    );
    if (before.length > 0) {
      counts.push(
        ...(await sql`
          SELECT part.position, count(*) AS sessions FROM ${partsTable(before)}
          JOIN unnest(${before.map(({ position }) => position)}::bigint[], ${before.map(({ bodyEnd }) => bodyEnd)}::bigint[])
            AS body (position, until) ON body.position = part.position
          JOIN early_access.sessions AS session ON session_start >= part.first AND session_start < part.until
          WHERE EXISTS (
            SELECT 1 FROM early_access.sessions AS next WHERE next.visitor_id = session.visitor_id
              AND next.session_start >= session.session_start AND next.session_start < body.until
              AND (next.session_start, next.id COLLATE "C") > (session.session_start, session.id COLLATE "C")
          ) GROUP BY 1
        `),
      );
    }
    if (after.length > 0) {
      counts.push(
        ...(await sql`
          SELECT part.position, count(*) AS sessions FROM ${partsTable(after)}
          JOIN unnest(${after.map(({ position }) => position)}::bigint[], ${after.map(({ periodStart }) => periodStart)}::bigint[])
            AS period (position, first) ON period.position = part.position
          JOIN early_access.sessions ON session_start >= part.first AND session_start < part.until
            AND previous_start >= period.first GROUP BY 1
        `),
      );
    }
    const visitors = [...sessions];
    for (const row of counts) {
      const position = integer(row, 'position');
      visitors[position] = (visitors[position] ?? 0) - integer(row, 'sessions');
    }
    return visitors;
  }

  async function figuresOf(periods: readonly Period[], touches: Touches): Promise<readonly PeriodFigures[]> {
    const unit = touches === null ? HOUR_MS : DAY_MS;
    const parts = periods.map((period) => split(period, unit));
    const edges = parts.flatMap(({ edges }, position) => edges.map((edge) => ({ position, ...edge })));
    const whole = parts.map(({ body }, position) => ({ position, ...inUnits(body, unit) }));
    const rows: Row[] = [...(await wholeUnits(whole, touches))];
    if (edges.length > 0) rows.push(...(await partsOfUnits(edges, touches)));
    const figures = periods.map(() => NO_FIGURES);
    for (const row of rows) {
      const position = integer(row, 'position');
      figures[position] = addFigures(figures[position] ?? NO_FIGURES, toFigures(row));
    }
    if (touches !== null) return figures;
    const visitors = await distinctVisitors(
      periods,
      figures.map(({ sessions }) => sessions),
    );
    return figures.map((sums, index) => ({ ...sums, visitors: visitors[index] ?? 0 }));
  }

  async function barsOf(periods: readonly Period[], touches: readonly number[], withVisitors: boolean): Promise<Bar[]> {
    const visitors = sql`(
      SELECT count(DISTINCT visitor_id) FROM early_access.sessions
      WHERE session_start >= part.first AND session_start < part.until AND ${matching(touches)}
    )`;
    const rows = await sql`
      SELECT ${withVisitors ? visitors : sql`0`} AS visitors, (
        SELECT count(*) FROM early_access.email_signups
        WHERE created_at >= part.first AND created_at < part.until AND ${matching(touches)}
      ) AS signups
      FROM ${partsTable(periods.map((period, position) => ({ position, ...period })))} ORDER BY part.position
    `;
    return rows.map(toBar);
  }

  return {
    /** The figures of periods, in the same order. */
    figures: figuresOf,
    /** The bars of periods for a filter: without visitors, or with those of the rows. */
    bars: barsOf,
    /** The visitors of a filter on each UTC day of a period, or on the part of the day within it. */
    async visitorsOfDays(period: Period, touches: readonly number[]) {
      const { body, edges } = split(period, DAY_MS);
      const days = inUnits(body, DAY_MS);
      const rows = await sql`
        SELECT day * ${DAY_MS} AS time, sum(visitors)::bigint AS visitors FROM early_access.analytics_days
        WHERE day >= ${days.start} AND day < ${days.end} AND ${matching(touches)} GROUP BY day
        UNION ALL
        SELECT part.first, (
          SELECT count(*) FROM early_access.sessions WHERE session_start >= part.first AND session_start < part.until
            AND (previous_start IS NULL OR previous_start < part.first) AND ${matching(touches)}
        ) FROM ${partsTable(edges.map((edge, position) => ({ position, ...edge })))}
      `;
      return rows.map((row) => ({ time: integer(row, 'time'), visitors: integer(row, 'visitors') }));
    },
  };
}

function inUnits({ start, end }: Period, unit: number): Period {
  return { start: start / unit, end: end / unit };
}
