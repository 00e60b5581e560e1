import { DAY_MS } from 'early-access-kit/internal';
import {
  type Analytics,
  type AnalyticsQuery,
  barOfDay,
  breakdowns,
  type Dimension,
  fitsIndex,
  hasBarsOfDays,
  isFiltered,
  limitSource,
  listPages,
  MAX_VALUES_PER_DAY,
  matches,
  OTHER,
  type PeriodFigures,
  type SourceCounts,
  type TrafficSource,
} from 'early-access-server/internal';
import { type Row, UNKNOWN } from './rows.ts';

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/**
 * Returns a function that limits the different values and paths per UTC day: excess ones become `OTHER`. Call it with a
 * day's rows in order.
 */
export function dailyBound(): (row: Row) => Pick<Row, 'trafficSource' | 'views'> {
  let day = Number.NaN;
  let values = new Map<Dimension | 'page_path', Set<string>>();
  let bounded = new Map<TrafficSource, TrafficSource>();
  const hasRoom = (dimension: Dimension | 'page_path', value: string) => {
    const seen = values.get(dimension) ?? new Set();
    values.set(dimension, seen);
    if (seen.size < MAX_VALUES_PER_DAY) seen.add(value);
    return seen.has(value);
  };
  const limitPath = (path: string) => (fitsIndex(path) && hasRoom('page_path', path) ? path : OTHER);
  return ({ at, trafficSource, views }) => {
    if (startOfDay(at) !== day) {
      day = startOfDay(at);
      values = new Map();
      bounded = new Map();
    }
    const known = bounded.get(trafficSource) ?? limitSource(trafficSource, hasRoom);
    bounded.set(trafficSource, known);
    return { trafficSource: known, views: views.length === 0 ? views : views.map(limitPath) };
  };
}

type Counts = Pick<Analytics, 'figures' | 'previous' | 'buckets' | 'breakdowns' | 'pages'>;

/**
 * Counts rows, which must be added in order of time. They must include the whole UTC day in which each period of the
 * query starts, because `dailyBound` needs a day's first rows.
 */
export function rowCounter(query: AnalyticsQuery) {
  const { buckets, end, previousStart, previousEnd = buckets[0] ?? end, filter } = query;
  const period = periodCounter(query);
  let before = previousStart === null ? null : periodCounter({ buckets: [previousStart], end: previousEnd, filter });
  let previous: PeriodFigures | null = null;
  const endPrevious = () => {
    previous ??= before?.counts().figures ?? null;
    before = null;
  };
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        // Frees the visitors of the previous period before those of the current one use memory.
        if (row.at >= previousEnd) endPrevious();
        before?.add(row);
        if (row.at >= startOfDay(buckets[0] ?? end)) period.add(row);
      }
    },
    counts(): Counts {
      endPrevious();
      return { ...period.counts(), previous };
    },
  };
}

type PeriodQuery = Pick<AnalyticsQuery, 'buckets' | 'end' | 'filter'>;

function periodCounter({ buckets, end, filter }: PeriodQuery) {
  const start = buckets[0] ?? end;
  const hasDays = hasBarsOfDays({ buckets, end, filter });
  const total = sumCounter();
  const bars = buckets.map((from) => ({ start: from, counter: sumCounter() }));
  const perSource = new Map<TrafficSource, Mutable<SourceCounts>>();
  const views = new Map<string, number>();
  const boundOf = dailyBound();
  const findPrevious = previousFinder();
  // Without a filter, it would find the same sessions.
  const findPreviousMatching = isFiltered(filter) ? previousFinder() : null;
  let bar = 0;
  return {
    add(row: Row): void {
      const { trafficSource, views: paths } = boundOf(row);
      if (row.at >= end || row.at < start) return;
      const before = findPrevious(row);
      const isFirstOfDay = before < Math.max(startOfDay(row.at), start);
      if (!matches(trafficSource, filter)) return;
      const beforeMatching = findPreviousMatching?.(row) ?? before;
      total.add(row, { isFirst: before < start, isFirstOfDay });
      while ((buckets[bar + 1] ?? Number.POSITIVE_INFINITY) <= row.at) bar += 1;
      const isOfDay = hasDays && row.visitor !== null;
      const counted = bars[isOfDay ? barOfDay({ buckets, end }, row.at) : bar];
      if (counted === undefined) return;
      counted.counter.add(row, { isFirst: beforeMatching < counted.start, isFirstOfDay });
      if (row.visitor !== null) {
        for (const path of [trafficSource.landing_path, ...paths]) views.set(path, (views.get(path) ?? 0) + 1);
      }
      const ofSource = perSource.get(trafficSource) ?? { visitors: 0, signups: 0, joined: 0 };
      perSource.set(trafficSource, ofSource);
      if (row.visitor === null) {
        ofSource.signups += 1;
        ofSource.joined += row.joined ? 1 : 0;
      } else if (isFirstOfDay) ofSource.visitors += 1;
    },
    counts: (): Omit<Counts, 'previous'> => ({
      figures: total.figures(isFiltered(filter)),
      buckets: bars.map(({ start: from, counter }) => ({ start: from, ...counter.figures(hasDays) })),
      breakdowns: breakdowns((add) => {
        for (const [trafficSource, counts] of perSource) add(trafficSource, counts);
      }),
      pages: listPages((add) => {
        for (const [path, count] of views) add(path, count);
      }),
    }),
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Returns a function that returns the time of the visitor's previous session among the rows so far. */
function previousFinder(): ({ at, visitor, previous }: Row) => number {
  const last = new Map<Row['visitor'], number>();
  return ({ at, visitor, previous }) => {
    const before = (visitor === UNKNOWN ? null : last.get(visitor)) ?? previous ?? Number.NEGATIVE_INFINITY;
    last.set(visitor, at);
    return before;
  };
}

function sumCounter() {
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
    /** `byDay`: visitors are counted once per day. */
    figures: (byDay: boolean): PeriodFigures => ({ ...sums, visitors: byDay ? dailyVisitors : visitors }),
  };
}

/** The session is its visitor's first in the period, and on its UTC day within the period. */
interface FirstOf {
  readonly isFirst: boolean;
  readonly isFirstOfDay: boolean;
}
