import { HOUR_MS } from 'early-access-kit/internal';
import type { AnalyticsQuery, Bucket, PeriodFigures } from '../../app/analytics/analytics.ts';
import { barOfDay } from '../../app/analytics/compute-analytics.ts';
import type { Period } from './periods.ts';
import { integerOrNull, type Row } from './row.ts';

/** The time from the first to the end of the last hour with totals, or null if there are none. */
export function storedHours(row: Row | undefined): Period | null {
  const [first, last] = [integerOrNull(row, 'first'), integerOrNull(row, 'last')];
  return first === null || last === null ? null : { start: first * HOUR_MS, end: (last + 1) * HOUR_MS };
}

/** Reads figures from a JSON array of totals, multiplied by `sign`. The sum over no rows is null. */
export function toFigures(sums: string, sign = 1): PeriodFigures {
  const values: readonly unknown[] = JSON.parse(sums);
  const [sessions = 0, bounces = 0, duration = 0, timed_sessions = 0, engaged_sessions = 0, visitors = 0, signups = 0] =
    values.map((value) => sign * Number(value));
  return { sessions, bounces, duration, timed_sessions, engaged_sessions, visitors, signups };
}

/** The figures of a period without any activity. */
export const NO_FIGURES: PeriodFigures = {
  sessions: 0,
  bounces: 0,
  duration: 0,
  timed_sessions: 0,
  engaged_sessions: 0,
  visitors: 0,
  signups: 0,
};

export function addFigures(a: PeriodFigures, b: PeriodFigures): PeriodFigures {
  return {
    sessions: a.sessions + b.sessions,
    bounces: a.bounces + b.bounces,
    duration: a.duration + b.duration,
    timed_sessions: a.timed_sessions + b.timed_sessions,
    engaged_sessions: a.engaged_sessions + b.engaged_sessions,
    visitors: a.visitors + b.visitors,
    signups: a.signups + b.signups,
  };
}

/** Adds the figures of UTC days to the bars that contain the days' noons. */
export function addDays(
  query: AnalyticsQuery,
  bars: readonly PeriodFigures[],
  days: readonly { readonly time: number; readonly figures: PeriodFigures }[],
): readonly PeriodFigures[] {
  const byBar = Map.groupBy(days, ({ time }) => barOfDay(query, time));
  return bars.map((bar, index) => (byBar.get(index) ?? []).reduce((sum, { figures }) => addFigures(sum, figures), bar));
}

export function toBuckets({ buckets }: AnalyticsQuery, bars: readonly PeriodFigures[]): readonly Bucket[] {
  return buckets.map((start, index) => ({ start, ...(bars[index] ?? NO_FIGURES) }));
}
