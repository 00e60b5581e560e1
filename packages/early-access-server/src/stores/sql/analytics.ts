import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsFilter,
  type AnalyticsQuery,
  DIMENSIONS,
  mapTallies,
  type PeriodFigures,
  type Tallies,
} from '../../app/analytics/analytics.ts';
import { breakdowns, isFiltered } from '../../app/analytics/compute-analytics.ts';
import { listPages } from '../../app/analytics/page-views.ts';
import type { AnalyticsStore } from '../../app/ports/analytics-store.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { addDays, addFigures, NO_FIGURES, storedHours, toBuckets } from './figures-row.ts';
import { matchSources, readBars, readDays, readFigures, readSignups, type Sources } from './period-figures.ts';
import { listPeriods, type Period, splitDays } from './periods.ts';
import { integer, integers, type Row, text, texts } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sql, type Transaction } from './statement.ts';

/** The dashboard's figures. Rows are counted in the transaction that stores them. */
export function analyticsStore({ read, write }: SqlDatabase, clock: Clock): AnalyticsStore {
  return {
    read: (query) => read(() => readAnalytics(query, clock())),
    addTallies: (tallies) => write(() => addTallies(tallies, clock())),
    progress: async () => 1,
    failure: async () => null,
  };
}

/** Reads the figures without reading every session. The result equals `computeAnalytics`. */
function* readAnalytics(query: AnalyticsQuery, now: number): Transaction<Analytics> {
  const [bounds] = yield* sql`
    SELECT min(hour) AS first, max(hour) AS last, (SELECT pruned_until FROM @totals) AS pruned_until
    FROM @analytics_hours WHERE sessions > 0 OR signups > 0
  `;
  const periods = listPeriods(query, storedHours(bounds), integer(bounds, 'pruned_until'));
  const sources = yield* findSources(query.filter);
  // With a filter, bars and sources are read from all rows of the period. Its own figures are derived from them, to
  // avoid reading the rows again.
  const whole = [periods.previous, periods.isSumOfBars ? null : periods.period].filter((period) => period !== null);
  // Without a filter, bars are read by the same statements as the period.
  const summed = yield* readFigures(sources === null ? [...whole, ...periods.bars] : whole, sources);
  const ofDays = periods.hasBarsOfDays ? yield* readDays(periods.days, sources) : [];
  const filtered = periods.hasBarsOfDays ? readSignups : readBars;
  const bars =
    sources === null ? summed.slice(whole.length) : addDays(query, yield* filtered(periods.bars, sources), ofDays);
  const countsOfSources = yield* countSources(periods.days, sources);
  const laterViews = yield* countLaterViews(periods.days, sources);
  const [others] = yield* sql`
    SELECT (
      SELECT count(*) FROM (
        SELECT #unindexed visitor_id FROM @sessions WHERE session_start >= ${now - ACTIVE_MS}
        UNION SELECT #unindexed visitor_id FROM @sessions WHERE session_end >= ${now - ACTIVE_MS}
      ) AS active
    ) AS active_visitors, CAST(coalesce(sum(robots), 0) AS bigint) AS robots,
      CAST(coalesce(sum(human_missing), 0) AS bigint) AS human_missing, CAST(coalesce(sum(human_refused), 0) AS bigint) AS human_refused,
      CAST(coalesce(sum(human_replayed), 0) AS bigint) AS human_replayed,
      CAST(coalesce(sum(human_unreachable), 0) AS bigint) AS human_unreachable, CAST(coalesce(sum(imported), 0) AS bigint) AS imported
    FROM @analytics_hours WHERE hour >= ${periods.tallyHours.start} AND hour < ${periods.tallyHours.end}
  `;
  return {
    figures: periods.isSumOfBars ? addUpBars(bars, countsOfSources) : (summed[whole.length - 1] ?? NO_FIGURES),
    previous: periods.previous === null ? null : (summed[0] ?? NO_FIGURES),
    buckets: toBuckets(query, bars),
    breakdowns: breakdowns((add) => {
      for (const row of countsOfSources) add(texts(row, DIMENSIONS), integers(row, ['visitors', 'signups', 'joined']));
    }),
    pages: listPages((add) => {
      for (const row of countsOfSources) add(text(row, 'landing_path'), integer(row, 'sessions'));
      for (const row of laterViews) add(text(row, 'path'), integer(row, 'views'));
    }),
    active_visitors: integer(others, 'active_visitors'),
    first: periods.first,
    tallies: mapTallies((tally) => integer(others, tally)),
  };
}

/**
 * Computes a filtered period's figures from its bars and sources. The sources count each visitor once per UTC day, as
 * the period does.
 */
function addUpBars(bars: readonly PeriodFigures[], countsOfSources: readonly Row[]): PeriodFigures {
  const sum = (column: string) => countsOfSources.reduce((total, row) => total + integer(row, column), 0);
  return { ...bars.reduce(addFigures, NO_FIGURES), visitors: sum('visitors'), signups: sum('signups') };
}

export function* addTallies(tallies: Tallies, now: number): Transaction<void> {
  const { robots, human_missing, human_refused, human_replayed, human_unreachable, imported } = tallies;
  yield* sql`
    INSERT INTO @analytics_hours AS stored (hour, robots, human_missing, human_refused, human_replayed, human_unreachable, imported)
    VALUES (${Math.floor(now / HOUR_MS)}, ${robots}, ${human_missing}, ${human_refused}, ${human_replayed}, ${human_unreachable},
      ${imported})
    ON CONFLICT (hour) DO UPDATE SET robots = stored.robots + excluded.robots,
      human_missing = stored.human_missing + excluded.human_missing, human_refused = stored.human_refused + excluded.human_refused,
      human_replayed = stored.human_replayed + excluded.human_replayed,
      human_unreachable = stored.human_unreachable + excluded.human_unreachable, imported = stored.imported + excluded.imported
  `;
}

/** The sources that match all values of the filter. */
function* findSources(filter: AnalyticsFilter): Transaction<Sources> {
  if (!isFiltered(filter)) return null;
  // No stored value contains NUL, and Postgres rejects text that does.
  if (DIMENSIONS.some((dimension) => filter[dimension]?.includes('\u0000'))) return '[]';
  const rows = yield* sql`
    SELECT id FROM @traffic_sources WHERE referrer_host = coalesce(${filter.referrer_host ?? null}, referrer_host)
      AND utm_source = coalesce(${filter.utm_source ?? null}, utm_source)
      AND utm_medium = coalesce(${filter.utm_medium ?? null}, utm_medium)
      AND utm_campaign = coalesce(${filter.utm_campaign ?? null}, utm_campaign)
      AND landing_path = coalesce(${filter.landing_path ?? null}, landing_path)
      AND device_type = coalesce(${filter.device_type ?? null}, device_type)
      AND browser = coalesce(${filter.browser ?? null}, browser) AND os = coalesce(${filter.os ?? null}, os)
      AND visitor_type = coalesce(${filter.visitor_type ?? null}, visitor_type)
      AND country = coalesce(${filter.country ?? null}, country)
  `;
  return JSON.stringify(rows.map((row) => integer(row, 'id')));
}

/** The sources with the sessions, visitors and signups counted in breakdowns. A source may have several rows. */
function* countSources(period: Period, sources: Sources): Transaction<readonly Row[]> {
  const { body, edges } = splitDays(period);
  const rows: Row[] = [];
  const ofDays = yield* sql`
    SELECT traffic_sources.*, sessions, visitors, signups, joined FROM (
      SELECT traffic_source_id, CAST(sum(sessions) AS bigint) AS sessions, CAST(sum(visitors) AS bigint) AS visitors,
        CAST(sum(signups) AS bigint) AS signups, 0 AS joined
      FROM @analytics_days
      WHERE day >= ${body.start / DAY_MS} AND day < ${body.end / DAY_MS} AND ${matchSources(sources)} GROUP BY traffic_source_id
      UNION ALL SELECT traffic_source_id, 0, 0, 0, count(*) FROM @email_signups
      WHERE joined_at IS NOT NULL AND created_at >= ${period.start} AND created_at < ${period.end} AND ${matchSources(sources)}
      GROUP BY traffic_source_id
    ) AS counts JOIN @traffic_sources AS traffic_sources ON traffic_sources.id = traffic_source_id
  `;
  for (const row of ofDays) rows.push(row);
  for (const { start, end, since, sign } of edges) {
    const ofPart = yield* sql`
      SELECT traffic_sources.*, sessions, visitors, signups, 0 AS joined FROM (
        SELECT traffic_source_id, ${sign} * count(*) AS sessions,
          ${sign} * count(*) FILTER (WHERE previous_start IS NULL OR previous_start < ${since}) AS visitors, 0 AS signups FROM @sessions
        WHERE session_start >= ${start} AND session_start < ${end} AND ${matchSources(sources)} GROUP BY traffic_source_id
        UNION ALL SELECT traffic_source_id, 0, 0, ${sign} * count(*) FROM @email_signups
        WHERE created_at >= ${start} AND created_at < ${end} AND ${matchSources(sources)} GROUP BY traffic_source_id
      ) AS counts JOIN @traffic_sources AS traffic_sources ON traffic_sources.id = traffic_source_id
    `;
    for (const row of ofPart) rows.push(row);
  }
  return rows;
}

/** Page views after the first of each session, by path. A path may have several rows. */
function* countLaterViews(period: Period, sources: Sources): Transaction<readonly Row[]> {
  const { body, edges } = splitDays(period);
  // Without a filter, the counts per path are enough, which are fewer rows.
  const views =
    sources === null
      ? sql`SELECT day, value AS path, uses AS views FROM @analytics_values WHERE dimension = 'page_path'`
      : sql`SELECT day, path, views FROM @analytics_pages WHERE ${matchSources(sources)}`;
  const rows = [
    ...(yield* sql`
      SELECT path, CAST(sum(views) AS bigint) AS views FROM (${views}) AS views_of_days
      WHERE day >= ${body.start / DAY_MS} AND day < ${body.end / DAY_MS} GROUP BY path
    `),
  ];
  for (const { start, end, sign } of edges) {
    const ofPart = yield* sql`
      SELECT value ->> 1 AS path, ${sign} * count(*) AS views FROM @sessions CROSS JOIN #each(page_views#jsonb)
      WHERE page_views IS NOT NULL AND session_start >= ${start} AND session_start < ${end} AND ${matchSources(sources)}
      GROUP BY 1
    `;
    for (const row of ofPart) rows.push(row);
  }
  return rows;
}
