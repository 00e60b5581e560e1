import type { SessionRecord, StoredSignup } from 'early-access-kit/internal';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsFilter,
  type AnalyticsQuery,
  DIMENSIONS,
  ENGAGED_DEPTH,
  ENGAGED_SECONDS,
  LONGEST_BY_HOUR_MS,
  MAX_VALUES_PER_DAY,
  type PageRow,
  type PeriodFigures,
  type SourceCounts,
  type Tallies,
} from './analytics.ts';
import { BreakdownSums } from './breakdown.ts';
import type { StoredSession } from './country.ts';
import { listPages } from './page-views.ts';
import {
  limitSource,
  matches,
  type OpenDimension,
  type TrafficSource,
  toSessionSource,
  toSignupSource,
} from './traffic-source.ts';

/** All stored rows, in order of arrival. */
export interface AnalyticsRows {
  readonly sessions: readonly StoredSession[];
  /** Excludes imported people. */
  readonly signups: readonly ListedSignup[];
  /** The paths of each session's page views after the first, by session id. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  /** The tallies of the query's period, or null if the store cannot provide them. */
  readonly tallies: Tallies | null;
}

/** A signup, with the time when the person joined. */
type ListedSignup = StoredSignup & { readonly joined_at?: number | null };
type CountedSession = StoredSession & { readonly trafficSource: TrafficSource };
type CountedSignup = ListedSignup & { readonly trafficSource: TrafficSource };

/**
 * Computes the figures from all sessions and signups at the time `now`. This is the reference: stores that save totals
 * must return the same.
 *
 * A signup counts with its session. In breakdowns a visitor counts once per UTC day of the period, with their first
 * session of that day regardless of the filter, and only if that session matches the filter. With a filter, the
 * period's visitors are counted this way as well, because distinct filtered visitors cannot be computed from totals.
 */
export function computeAnalytics(
  rows: AnalyticsRows,
  { buckets, end, previousStart, previousEnd, filter }: AnalyticsQuery,
  now: number,
): Analytics {
  const { sessions, signups } = countedRows(rows);
  const start = buckets[0] ?? end;
  const passes = ({ trafficSource }: { trafficSource: TrafficSource }) => matches(trafficSource, filter);
  const [visits, leads] = [sessions.filter(passes), signups.filter(passes)];
  const firstVisits = (from: number, to: number) =>
    firstOfEachDay(sessions.filter(startedWithin(from, to))).filter(passes);
  const figures = (from: number, to: number): PeriodFigures => {
    const distinct = computeFigures(visits, leads, from, to);
    return isFiltered(filter) ? { ...distinct, visitors: firstVisits(from, to).length } : distinct;
  };
  const inPeriod = visits.filter(startedWithin(start, end));
  const isInBar =
    (index: number) =>
    ({ session_start }: SessionRecord): boolean =>
      barOfDay({ buckets, end }, session_start) === index;
  return {
    figures: figures(start, end),
    previous: previousStart === null ? null : figures(previousStart, previousEnd ?? start),
    buckets: buckets.map((from, index) => {
      const exact = computeFigures(visits, leads, from, buckets[index + 1] ?? end);
      if (!hasBarsOfDays({ buckets, end, filter })) return { start: from, ...exact };
      const ofDays = computeFigures(inPeriod.filter(isInBar(index)), [], start, end);
      const visitors = firstVisits(start, end).filter(isInBar(index)).length;
      return { start: from, ...ofDays, visitors, signups: exact.signups };
    }),
    breakdowns: computeBreakdowns(firstVisits(start, end), leads.filter(madeWithin(start, end))),
    pages: computePages(inPeriod, rows.views),
    active_visitors: countVisitors(
      rows.sessions.filter(
        ({ session_start, session_end }) => Math.max(session_start, session_end ?? 0) >= now - ACTIVE_MS,
      ),
    ),
    first: findFirst([
      ...rows.sessions.map((session) => session.session_start),
      ...rows.signups.map((signup) => signup.created_at),
    ]),
    tallies: rows.tallies,
  };
}

export function isFiltered(filter: AnalyticsFilter): boolean {
  return DIMENSIONS.some((dimension) => filter[dimension] !== undefined);
}

/** Returns whether each bar contains the UTC days whose noon is in it. */
export function hasBarsOfDays({ buckets, end, filter }: Pick<AnalyticsQuery, 'buckets' | 'end' | 'filter'>): boolean {
  return isFiltered(filter) && end - (buckets[0] ?? end) > LONGEST_BY_HOUR_MS;
}

/**
 * The index of the bar that contains noon of the UTC day of `time`. If noon is outside the period, the closest time in
 * it is used.
 */
export function barOfDay({ buckets, end }: Pick<AnalyticsQuery, 'buckets' | 'end'>, time: number): number {
  const noon = (Math.floor(time / DAY_MS) + 0.5) * DAY_MS;
  const clamped = Math.max(buckets[0] ?? end, Math.min(noon, end - 1));
  return buckets.findLastIndex((from) => from <= clamped);
}

/**
 * Adds the traffic source of each row. After `MAX_VALUES_PER_DAY` values of a dimension on one day, further values
 * become `OTHER`.
 */
function countedRows({ sessions, signups }: AnalyticsRows): { sessions: CountedSession[]; signups: CountedSignup[] } {
  const values = new Map<string, Set<string>>();
  const bounded = (trafficSource: TrafficSource, time: number) =>
    limitSource(trafficSource, (dimension: OpenDimension, value) => {
      const key = `${Math.floor(time / DAY_MS)} ${dimension}`;
      const seen = values.get(key) ?? new Set();
      values.set(key, seen);
      if (seen.size < MAX_VALUES_PER_DAY) seen.add(value);
      return seen.has(value);
    });
  const counted = sessions.map((session) => ({
    ...session,
    trafficSource: bounded(toSessionSource(session), session.session_start),
  }));
  const trafficSources = new Map(counted.map(({ id, trafficSource }) => [id, trafficSource]));
  return {
    sessions: counted,
    signups: signups.map((signup) => ({
      ...signup,
      trafficSource: trafficSources.get(signup.session_id ?? '') ?? bounded(toSignupSource(signup), signup.created_at),
    })),
  };
}

const startedWithin =
  (from: number, to: number) =>
  ({ session_start }: SessionRecord): boolean =>
    session_start >= from && session_start < to;

const madeWithin =
  (from: number, to: number) =>
  ({ created_at }: StoredSignup): boolean =>
    created_at >= from && created_at < to;

function computeFigures(
  sessions: readonly CountedSession[],
  signups: readonly CountedSignup[],
  from: number,
  to: number,
): PeriodFigures {
  const inPeriod = sessions.filter(startedWithin(from, to));
  const count = (counts: (session: SessionRecord) => boolean) => inPeriod.filter(counts).length;
  return {
    sessions: inPeriod.length,
    bounces: count(({ is_bounce }) => is_bounce),
    duration: inPeriod.reduce((sum, { total_duration }) => sum + total_duration, 0),
    timed_sessions: count(({ total_duration }) => total_duration > 0),
    engaged_sessions: count(
      ({ total_duration, max_scroll_depth }) => total_duration >= ENGAGED_SECONDS || max_scroll_depth >= ENGAGED_DEPTH,
    ),
    visitors: countVisitors(inPeriod),
    signups: signups.filter(madeWithin(from, to)).length,
  };
}

function countVisitors(sessions: readonly SessionRecord[]): number {
  return new Set(sessions.map(({ visitor_id }) => visitor_id)).size;
}

function firstOfEachDay(sessions: readonly CountedSession[]): CountedSession[] {
  const first = new Map<string, CountedSession>();
  for (const session of sessions.toSorted((a, b) => a.session_start - b.session_start || (a.id < b.id ? -1 : 1))) {
    const key = `${Math.floor(session.session_start / DAY_MS)} ${session.visitor_id}`;
    if (!first.has(key)) first.set(key, session);
  }
  return [...first.values()];
}

function computeBreakdowns(
  sessions: readonly CountedSession[],
  signups: readonly CountedSignup[],
): Analytics['breakdowns'] {
  return breakdowns((add) => {
    for (const { trafficSource } of sessions) add(trafficSource, { visitors: 1, signups: 0, joined: 0 });
    for (const { trafficSource, joined_at = null } of signups) {
      add(trafficSource, { visitors: 0, signups: 1, joined: joined_at === null ? 0 : 1 });
    }
  });
}

function computePages(sessions: readonly CountedSession[], views: AnalyticsRows['views']): readonly PageRow[] {
  return listPages((add) => {
    for (const { id, trafficSource } of sessions) {
      for (const path of [trafficSource.landing_path, ...(views.get(id) ?? [])]) add(path, 1);
    }
  });
}

export function breakdowns(
  addAll: (add: (trafficSource: TrafficSource, counts: SourceCounts) => void) => void,
): Analytics['breakdowns'] {
  const sums = {
    referrer_host: new BreakdownSums(),
    utm_source: new BreakdownSums(),
    utm_medium: new BreakdownSums(),
    utm_campaign: new BreakdownSums(),
    landing_path: new BreakdownSums(),
    device_type: new BreakdownSums(),
    browser: new BreakdownSums(),
    os: new BreakdownSums(),
    visitor_type: new BreakdownSums(),
    country: new BreakdownSums(),
  };
  addAll((trafficSource, counts) => {
    for (const dimension of DIMENSIONS) sums[dimension].add(trafficSource[dimension], counts);
  });
  return {
    referrer_host: sums.referrer_host.rows(),
    utm_source: sums.utm_source.rows(),
    utm_medium: sums.utm_medium.rows(),
    utm_campaign: sums.utm_campaign.rows(),
    landing_path: sums.landing_path.rows(),
    device_type: sums.device_type.rows(),
    browser: sums.browser.rows(),
    os: sums.os.rows(),
    visitor_type: sums.visitor_type.rows(),
    country: sums.country.rows(),
  };
}

function findFirst(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  return Math.floor(times.reduce((first, time) => Math.min(first, time)) / HOUR_MS) * HOUR_MS;
}
