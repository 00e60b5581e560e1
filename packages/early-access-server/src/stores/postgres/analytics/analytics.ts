import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsFilter,
  type AnalyticsQuery,
  DIMENSIONS,
  TALLIES,
  type Tallies,
  talliesOf,
} from '../../../app/analytics/analytics.ts';
import { breakdowns, isFiltered } from '../../../app/analytics/analytics-of.ts';
import { addVisitors, NO_FIGURES, storedTimes, toBuckets, toTouch } from '../../sql/figures-row.ts';
import { DAY_MS, HOUR_MS, type Period, periodsOf, split } from '../../sql/periods.ts';
import { integer, type Row } from '../../sql/row.ts';
import type { Queries, Transaction } from '../connection.ts';
import { hasNul } from '../statement.ts';
import { periodFigures, type Touches } from './period-figures.ts';

/** Reads the figures of the dashboard without reading every session, in a snapshot. Equals `analyticsOf`. */
export async function readAnalytics(sql: Queries, query: AnalyticsQuery, now: number): Promise<Analytics> {
  const [bounds] = await sql`
    SELECT (SELECT min(session_start) FROM early_access.sessions) AS first_session,
      (SELECT max(session_start) FROM early_access.sessions) AS last_session,
      (SELECT min(created_at) FROM early_access.email_signups) AS first_signup,
      (SELECT max(created_at) FROM early_access.email_signups) AS last_signup
  `;
  const periods = periodsOf(query, storedTimes(bounds));
  const touches = await touchesMatching(sql, query.filter);
  const { figures, bars, visitorsOfDays } = periodFigures(sql);
  const whole = [periods.period, ...(periods.previous === null ? [] : [periods.previous])];
  // Without a filter the bars are figures like the others, and read by the same statements.
  const summed = await figures(touches === null ? [...whole, ...periods.bars] : whole, touches);
  const counted =
    touches === null
      ? summed.slice(whole.length).map(({ visitors, signups }) => ({ visitors, signups }))
      : await bars(periods.bars, touches, !periods.hasBarsOfDays);
  if (touches !== null && periods.hasBarsOfDays) {
    addVisitors(query, counted, await visitorsOfDays(periods.days, touches));
  }
  const touchRows = await touchCounts(sql, periods.days, touches);
  const sums = TALLIES.map((tally) => `coalesce(sum(${tally}), 0)::bigint AS ${tally}`).join(', ');
  const [others] = await sql`
    SELECT (
      SELECT count(*) FROM (
        SELECT visitor_id FROM early_access.sessions WHERE session_start >= ${now - ACTIVE_MS}
        UNION SELECT visitor_id FROM early_access.sessions WHERE session_end >= ${now - ACTIVE_MS}
      ) AS active
    ) AS active_visitors, tallies.* FROM (
      SELECT ${sql.unsafe(sums)} FROM early_access.analytics_hours
      WHERE hour >= ${periods.tallyHours.start} AND hour < ${periods.tallyHours.end}
    ) AS tallies
  `;
  return {
    figures: summed[0] ?? NO_FIGURES,
    previous: periods.previous === null ? null : (summed[1] ?? NO_FIGURES),
    buckets: toBuckets(query, counted),
    breakdowns: breakdowns((add) => {
      for (const row of touchRows) add(toTouch(row), integer(row, 'visitors'), integer(row, 'signups'));
    }),
    active_visitors: integer(others, 'active_visitors'),
    first: periods.first,
    tallies: talliesOf((tally) => integer(others, tally)),
  };
}

/** Adds to the tallies of an hour. */
export async function addTallies(tx: Transaction, tallies: Tallies, now: number): Promise<void> {
  const columns = tx.unsafe(`hour, ${TALLIES.join(', ')}`);
  const row = { hour: Math.floor(now / HOUR_MS), ...tallies };
  const added = TALLIES.map((tally) => `${tally} = analytics_hours.${tally} + excluded.${tally}`).join(', ');
  await tx`
    INSERT INTO early_access.analytics_hours (${columns})
    SELECT ${columns} FROM jsonb_populate_record(NULL::early_access.analytics_hours, ${tx.json(row)})
    ON CONFLICT (hour) DO UPDATE SET ${tx.unsafe(added)}
  `;
}

/** Returns the touches with all values of the filter. */
async function touchesMatching(sql: Queries, filter: AnalyticsFilter): Promise<Touches> {
  if (!isFiltered(filter)) return null;
  const conditions = DIMENSIONS.map((dimension) => {
    const value = filter[dimension];
    if (value === undefined) return sql`true`;
    return hasNul(value) ? sql`false` : sql`${sql.unsafe(dimension)} = ${value}`;
  });
  const rows = await sql`
    SELECT id FROM early_access.touches WHERE ${conditions.reduce((all, condition) => sql`${all} AND ${condition}`)}
  `;
  return rows.map((row) => integer(row, 'id'));
}

/** Returns touches with the visitors and signups that breakdowns count for them; a touch may be in several rows. */
async function touchCounts(sql: Queries, period: Period, touches: Touches): Promise<readonly Row[]> {
  const matching = touches === null ? sql`true` : sql`touch_id = ANY(${[...touches]}::bigint[])`;
  const { body, edges } = split(period, DAY_MS);
  const rows: Row[] = [
    ...(await sql`
      SELECT touches.*, visitors, signups FROM (
        SELECT touch_id, sum(visitors)::bigint AS visitors, sum(signups)::bigint AS signups FROM early_access.analytics_days
        WHERE day >= ${body.start / DAY_MS} AND day < ${body.end / DAY_MS} AND ${matching} GROUP BY touch_id
      ) AS counts JOIN early_access.touches ON touches.id = touch_id
    `),
  ];
  for (const { start, end } of edges) {
    rows.push(
      ...(await sql`
        SELECT touches.*, visitors, signups FROM (
          SELECT touch_id, count(*) AS visitors, 0::bigint AS signups FROM early_access.sessions
          WHERE session_start >= ${start} AND session_start < ${end} AND ${matching}
            AND (previous_start IS NULL OR previous_start < ${start}) GROUP BY touch_id
          UNION ALL SELECT touch_id, 0, count(*) FROM early_access.email_signups
          WHERE created_at >= ${start} AND created_at < ${end} AND ${matching} GROUP BY touch_id
        ) AS counts JOIN early_access.touches ON touches.id = touch_id
      `),
    );
  }
  return rows;
}
