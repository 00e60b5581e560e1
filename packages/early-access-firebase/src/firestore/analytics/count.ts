import { DAY_MS } from 'early-access-kit/core';
import {
  type Analytics,
  type AnalyticsQuery,
  barOfDay,
  breakdowns,
  type Dimension,
  hasBarsOfDays,
  isFiltered,
  limitSource,
  MAX_VALUES_PER_DAY,
  matches,
  type PeriodFigures,
  type TrafficSource,
} from 'early-access-server/stores';
import { type Row, UNKNOWN } from './rows.ts';

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** Returns the traffic source of a row as it counts on its UTC day: too many values of a dimension become `OTHER`. Takes a day's rows in order. */
export function dailyBound(): (row: Row) => TrafficSource {
  let day = Number.NaN;
  let values = new Map<Dimension, Set<string>>();
  let bounded = new Map<TrafficSource, TrafficSource>();
  const hasRoom = (dimension: Dimension, value: string) => {
    const seen = values.get(dimension) ?? new Set();
    values.set(dimension, seen);
    if (seen.size < MAX_VALUES_PER_DAY) seen.add(value);
    return seen.has(value);
  };
  return ({ at, trafficSource }) => {
    if (startOfDay(at) !== day) {
      day = startOfDay(at);
      values = new Map();
      bounded = new Map();
    }
    const known = bounded.get(trafficSource) ?? limitSource(trafficSource, hasRoom);
    bounded.set(trafficSource, known);
    return known;
  };
}

type Counts = Pick<Analytics, 'figures' | 'previous' | 'buckets' | 'breakdowns'>;

/**
 * Counts rows in the order of their times. They must include the whole UTC day in which the query's first period starts, because
 * `dailyBound` needs a day's first rows.
 */
export function countRows(rows: Iterable<Row>, { buckets, end, previousStart, filter }: AnalyticsQuery): Counts {
  const start = buckets[0] ?? end;
  const byDay = isFiltered(filter);
  const hasDays = hasBarsOfDays({ buckets, end, filter });
  const current = periodCounter();
  const previous = periodCounter();
  const bars = buckets.map((from) => ({ start: from, visitors: 0, signups: 0 }));
  const perSource = new Map<TrafficSource, { visitors: number; signups: number }>();
  const boundOf = dailyBound();
  const findPrevious = previousFinder();
  const findPreviousMatching = previousFinder();
  let bar = 0;

  for (const row of rows) {
    const trafficSource = boundOf(row);
    if (row.at >= end || row.at < (previousStart ?? start)) continue;
    const since = row.at >= start ? start : (previousStart ?? start);
    const before = findPrevious(row);
    const isFirstOfDay = before < Math.max(startOfDay(row.at), since);
    if (!matches(trafficSource, filter)) continue;
    const beforeMatching = findPreviousMatching(row);
    (row.at < start ? previous : current).add(row, { isFirst: before < since, isFirstOfDay });
    if (row.at < start) continue;
    while ((buckets[bar + 1] ?? Number.POSITIVE_INFINITY) <= row.at) bar += 1;
    const counted = bars[bar];
    if (counted === undefined) continue;
    const ofSource = perSource.get(trafficSource) ?? { visitors: 0, signups: 0 };
    perSource.set(trafficSource, ofSource);
    if (row.visitor === null) {
      counted.signups += 1;
      ofSource.signups += 1;
    } else {
      if (!hasDays && beforeMatching < counted.start) counted.visitors += 1;
      if (!isFirstOfDay) continue;
      ofSource.visitors += 1;
      const barOfVisitor = bars[barOfDay({ buckets, end }, row.at)];
      if (hasDays && barOfVisitor !== undefined) barOfVisitor.visitors += 1;
    }
  }
  return {
    figures: current.figures(byDay),
    previous: previousStart === null ? null : previous.figures(byDay),
    buckets: bars,
    breakdowns: breakdowns((add) => {
      for (const [trafficSource, { visitors, signups }] of perSource) add(trafficSource, visitors, signups);
    }),
  };
}

/** Returns a function that finds when the visitor's session before was, among the rows that it was given. */
function previousFinder(): ({ at, visitor, previous }: Row) => number {
  const last = new Map<Row['visitor'], number>();
  return ({ at, visitor, previous }) => {
    const before = (visitor === UNKNOWN ? null : last.get(visitor)) ?? previous ?? Number.NEGATIVE_INFINITY;
    last.set(visitor, at);
    return before;
  };
}

function periodCounter() {
  const sums = { sessions: 0, bounces: 0, duration: 0, timed_sessions: 0, engaged_sessions: 0, signups: 0 };
  let [visitors, dailyVisitors] = [0, 0];
  return {
    add({ visitor, bounce, duration, engaged }: Row, { isFirst, isFirstOfDay }: FirstOf) {
      if (visitor === null) {
        sums.signups += 1;
        return;
      }
      if (isFirst) visitors += 1;
      if (isFirstOfDay) dailyVisitors += 1;
      sums.sessions += 1;
      sums.bounces += bounce ? 1 : 0;
      sums.duration += duration;
      sums.timed_sessions += duration > 0 ? 1 : 0;
      sums.engaged_sessions += engaged ? 1 : 0;
    },
    /** `byDay`: a visitor counts once a day. */
    figures: (byDay: boolean): PeriodFigures => ({ ...sums, visitors: byDay ? dailyVisitors : visitors }),
  };
}

/** Whether a session is its visitor's first of the period, and of its UTC day within the period. */
interface FirstOf {
  readonly isFirst: boolean;
  readonly isFirstOfDay: boolean;
}
