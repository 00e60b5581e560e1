import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import type { PeriodFigures } from '../../app/analytics/analytics.ts';
import { addFigures, NO_FIGURES, toFigures } from './figures-row.ts';
import { type DayPart, type Period, split, splitDays } from './periods.ts';
import { integer, type Row, text } from './row.ts';
import { type Statement, sql, type Transaction } from './statement.ts';

/** The ids of the sources that match a filter, as JSON. Null: all. */
export type Sources = string | null;

/** A part of the period at `position` in a list. */
interface Part extends Period, Partial<Pick<DayPart, 'since' | 'sign'>> {
  readonly position: number;
}

/** The condition for rows with one of the sources. Imported people have none. */
export function matchSources(sources: Sources): Statement {
  return sources === null
    ? sql`traffic_source_id IS NOT NULL`
    : sql`traffic_source_id IN (SELECT CAST(value AS bigint) FROM #each(${sources}))`;
}

/** The table `part`. Materialized, because its values are extracted from JSON. */
function partsTable(parts: readonly Part[]): Statement {
  return sql`
    WITH part AS MATERIALIZED (
      SELECT CAST(value ->> 0 AS bigint) AS position, CAST(value ->> 1 AS bigint) AS first, CAST(value ->> 2 AS bigint) AS until,
        CAST(value ->> 3 AS bigint) AS since, CAST(value ->> 4 AS bigint) AS sign
      FROM #each(${JSON.stringify(parts.map(({ position, start, end, since = start, sign = 1 }) => [position, start, end, since, sign]))})
    )
  `;
}

// Each total of a part is a correlated subquery, so that every database reads the part's rows through an index. Such a
// subquery returns one column, so several totals are combined in an array.

/** The figures of periods, in the same order, with a few statements for any number of periods. */
export function* readFigures(periods: readonly Period[], sources: Sources): Transaction<readonly PeriodFigures[]> {
  const unit = sources === null ? HOUR_MS : DAY_MS;
  const parts = periods.map((period) => (sources === null ? split(period, unit) : splitDays(period)));
  const edges = parts.flatMap(({ edges }, position) => edges.map((edge) => ({ position, ...edge })));
  const whole = parts.map(({ body }, position) => ({ position, ...inUnits(body, unit) }));
  const rows = [...(yield* sources === null ? sumsOfHours(whole) : sumsOfDays(whole, sources))];
  if (edges.length > 0) rows.push(...(yield* sumsOfRows(edges, sources)));
  const figures = sumUp(rows, periods.length);
  if (sources !== null) return figures;
  const returns = yield* countReturns(periods);
  return figures.map((sums, index) => ({ ...sums, visitors: sums.sessions - (returns[index] ?? 0) }));
}

/** Adds up the totals of parts by position. */
function sumUp(rows: Iterable<Row>, positions: number): readonly PeriodFigures[] {
  const figures = Array.from({ length: positions }, () => NO_FIGURES);
  for (const row of rows) {
    const position = integer(row, 'position');
    const added = toFigures(text(row, 'sums'), integer(row, 'sign'));
    figures[position] = addFigures(figures[position] ?? NO_FIGURES, added);
  }
  return figures;
}

function sumsOfHours(parts: readonly Part[]): Statement {
  return sql`
    ${partsTable(parts)} SELECT position, sign, CAST((
      SELECT #array(sum(sessions), sum(bounces), sum(duration), sum(timed_sessions), sum(engaged_sessions), 0, sum(signups))
      FROM @analytics_hours WHERE hour >= part.first AND hour < part.until
    ) AS text) AS sums FROM part
  `;
}

function sumsOfDays(parts: readonly Part[], sources: Sources): Statement {
  return sql`
    ${partsTable(parts)} SELECT position, sign, CAST((
      SELECT #array(
        sum(sessions), sum(bounces), sum(duration), sum(timed_sessions), sum(engaged_sessions), sum(visitors), sum(signups)
      ) FROM @analytics_days WHERE day >= part.first AND day < part.until AND ${matchSources(sources)}
    ) AS text) AS sums FROM part
  `;
}

const FIRST_SESSIONS = sql`count(*) FILTER (WHERE previous_start IS NULL OR previous_start < part.since)`;
const DISTINCT_VISITORS = sql`count(DISTINCT visitor_id)`;

/** Totals of parts without a midnight, computed from rows. The numbers are `ENGAGED_SECONDS` and `ENGAGED_DEPTH`. */
function sumsOfRows(parts: readonly Part[], sources: Sources, visitors = FIRST_SESSIONS): Statement {
  return sql`
    ${partsTable(parts)} SELECT position, sign, CAST((
      SELECT #array(
        count(*), sum(is_bounce), sum(total_duration), count(*) FILTER (WHERE total_duration > 0),
        count(*) FILTER (WHERE total_duration >= 10 OR max_scroll_depth >= 50),
        ${visitors}, ${countSignups(sources)}
      ) FROM @sessions WHERE session_start >= part.first AND session_start < part.until AND ${matchSources(sources)}
    ) AS text) AS sums FROM part
  `;
}

/**
 * Counts the sessions of each period that follow another session of the same visitor in it. Distinct visitors are
 * sessions minus these. Stored for whole hours, and counted for partial hours at both ends.
 */
function* countReturns(periods: readonly Period[]): Transaction<readonly number[]> {
  const parts = periods.map(({ start, end }) => {
    const { body } = split({ start, end }, HOUR_MS);
    const hours = body.start > end ? { start, end: start } : body;
    return [start, hours.start, hours.end, end, ...[body.start, body.end].map((time) => time / HOUR_MS)];
  });
  const rows = yield* sql`
    WITH part AS MATERIALIZED (
      SELECT CAST(value ->> 0 AS bigint) AS first, CAST(value ->> 1 AS bigint) AS body_first, CAST(value ->> 2 AS bigint) AS body_until,
        CAST(value ->> 3 AS bigint) AS until, CAST(value ->> 4 AS bigint) AS hour_first, CAST(value ->> 5 AS bigint) AS hour_until
      FROM #each(${JSON.stringify(parts)})
    )
    SELECT CAST((
      SELECT coalesce(sum(returns.sessions), 0) FROM @analytics_hours AS hours CROSS JOIN @returns AS returns
      WHERE hours.hour >= hour_first AND hours.hour < hour_until AND returns.hour = hours.hour AND returns.previous_hour >= hour_first
    ) + (
      SELECT count(*) FROM @sessions WHERE previous_start >= first AND previous_start < body_first AND #unindexed session_start < body_until
    ) + (
      SELECT count(*) FROM @sessions WHERE session_start >= body_until AND session_start < until AND #unindexed previous_start >= first
    ) AS bigint) AS returns FROM part
  `;
  return rows.map((row) => integer(row, 'returns'));
}

/** The hourly bars of a filter, computed from rows. */
export function* readBars(periods: readonly Period[], sources: Sources): Transaction<readonly PeriodFigures[]> {
  return sumUp(yield* sumsOfRows(withPositions(periods), sources, DISTINCT_VISITORS), periods.length);
}

/** The signups in the bars of a filter. */
export function* readSignups(periods: readonly Period[], sources: Sources): Transaction<readonly PeriodFigures[]> {
  const rows = yield* sql`
    ${partsTable(withPositions(periods))}
    SELECT position, sign, CAST(#array(0, 0, 0, 0, 0, 0, ${countSignups(sources)}) AS text) AS sums FROM part
  `;
  return sumUp(rows, periods.length);
}

/** The figures of a filter, without signups, for each UTC day of a period (at its ends, for part of the day). */
export function* readDays(period: Period, sources: Sources) {
  const { body, edges } = splitDays(period);
  const days = inUnits(body, DAY_MS);
  const rows = yield* sql`
    SELECT day * ${DAY_MS} AS time, CAST(#array(
      sum(sessions), sum(bounces), sum(duration), sum(timed_sessions), sum(engaged_sessions), sum(visitors), 0
    ) AS text) AS sums FROM @analytics_days
    WHERE day >= ${days.start} AND day < ${days.end} AND ${matchSources(sources)} GROUP BY day
  `;
  const parts = sumUp(edges.length === 0 ? [] : yield* sumsOfRows(withPositions(edges), sources), edges.length);
  return [
    ...rows.map((row) => ({ time: integer(row, 'time'), figures: toFigures(text(row, 'sums')) })),
    ...edges.map(({ since }, position) => ({
      time: since,
      figures: { ...(parts[position] ?? NO_FIGURES), signups: 0 },
    })),
  ];
}

function countSignups(sources: Sources): Statement {
  return sql`(
    SELECT count(*) FROM @email_signups WHERE created_at >= part.first AND created_at < part.until AND ${matchSources(sources)}
  )`;
}

function withPositions(periods: readonly Period[]): readonly Part[] {
  return periods.map((period, position) => ({ position, ...period }));
}

function inUnits({ start, end }: Period, unit: number): Period {
  return { start: start / unit, end: end / unit };
}
