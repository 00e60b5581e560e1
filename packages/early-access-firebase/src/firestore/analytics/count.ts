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
  type SourceCounts,
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
 * Counts rows in the order of their times. They must include the whole UTC day in which each period of the query starts, because
 * `dailyBound` needs a day's first rows.
 */
export function countRows(rows: readonly Row[], query: AnalyticsQuery): Counts {
  const { buckets, end, previousStart, previousEnd = buckets[0] ?? end, filter } = query;
  const before = { buckets: previousStart === null ? [] : [previousStart], end: previousEnd, filter };
  return {
    ...countPeriod(rows, query),
    previous: previousStart === null ? null : countPeriod(rows, before).figures,
  };
}

type PeriodQuery = Pick<AnalyticsQuery, 'buckets' | 'end' | 'filter'>;

function countPeriod(rows: readonly Row[], { buckets, end, filter }: PeriodQuery): Omit<Counts, 'previous'> {
  const start = buckets[0] ?? end;
  const hasDays = hasBarsOfDays({ buckets, end, filter });
  const total = periodCounter();
  const bars = buckets.map((from) => ({ start: from, counter: periodCounter() }));
  const perSource = new Map<TrafficSource, Mutable<SourceCounts>>();
  const boundOf = dailyBound();
  const findPrevious = previousFinder();
  const findPreviousMatching = previousFinder();
  let bar = 0;

  for (const row of rows) {
    const trafficSource = boundOf(row);
    if (row.at >= end || row.at < start) continue;
    const before = findPrevious(row);
    const isFirstOfDay = before < Math.max(startOfDay(row.at), start);
    if (!matches(trafficSource, filter)) continue;
    const beforeMatching = findPreviousMatching(row);
    total.add(row, { isFirst: before < start, isFirstOfDay });
    while ((buckets[bar + 1] ?? Number.POSITIVE_INFINITY) <= row.at) bar += 1;
    const isOfDay = hasDays && row.visitor !== null;
    const counted = bars[isOfDay ? barOfDay({ buckets, end }, row.at) : bar];
    if (counted === undefined) continue;
    counted.counter.add(row, { isFirst: beforeMatching < counted.start, isFirstOfDay });
    const ofSource = perSource.get(trafficSource) ?? { visitors: 0, signups: 0, joined: 0 };
    perSource.set(trafficSource, ofSource);
    if (row.visitor === null) {
      ofSource.signups += 1;
      ofSource.joined += row.joined ? 1 : 0;
    } else if (isFirstOfDay) ofSource.visitors += 1;
  }
  return {
    figures: total.figures(isFiltered(filter)),
    buckets: bars.map(({ start: from, counter }) => ({ start: from, ...counter.figures(hasDays) })),
    breakdowns: breakdowns((add) => {
      for (const [trafficSource, counts] of perSource) add(trafficSource, counts);
    }),
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

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
