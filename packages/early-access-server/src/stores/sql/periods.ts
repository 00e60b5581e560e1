import { DAY_MS, HOUR_MS } from 'early-access-kit/core';
import type { AnalyticsQuery } from '../../app/analytics/analytics.ts';
import { hasBarsOfDays, isFiltered } from '../../app/analytics/compute-analytics.ts';

/** The time from `start` to before `end`; empty if it ends before it starts. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** The whole units of a period, and what of it lies before and after them. */
export function split(
  { start, end }: Period,
  unit: number,
): { readonly body: Period; readonly edges: readonly Period[] } {
  const [first, last] = [Math.ceil(start / unit) * unit, Math.floor(end / unit) * unit];
  if (first > last) return { body: { start: first, end: first }, edges: [{ start, end }] };
  const edges = [
    { start, end: first },
    { start: last, end },
  ];
  return { body: { start: first, end: last }, edges: edges.filter((edge) => edge.start < edge.end) };
}

/** Widens a period to whole units if nothing is stored beyond it, so that no rows have to be read there. */
function widen(period: Period, unit: number, stored: { readonly first: number; readonly last: number }): Period {
  return {
    start: period.start <= stored.first ? Math.floor(stored.first / unit) * unit : period.start,
    end: period.end > stored.last ? (Math.floor(stored.last / unit) + 1) * unit : period.end,
  };
}

/** The periods that a query's figures come from, when the earliest and the latest of what is stored is of these times. */
export function listPeriods(query: AnalyticsQuery, times: readonly number[]) {
  const { buckets, end, previousStart, filter } = query;
  const stored = times.length === 0 ? { first: 0, last: 0 } : { first: Math.min(...times), last: Math.max(...times) };
  const start = buckets[0] ?? end;
  const unit = isFiltered(filter) ? DAY_MS : HOUR_MS;
  return {
    first: times.length === 0 ? null : stored.first,
    period: widen({ start, end }, unit, stored),
    previous: previousStart === null ? null : widen({ start: previousStart, end: start }, unit, stored),
    bars: buckets.map((from, index) => widen({ start: from, end: buckets[index + 1] ?? end }, HOUR_MS, stored)),
    /** The period of figures that are counted by days. */
    days: widen({ start, end }, DAY_MS, stored),
    hasBarsOfDays: hasBarsOfDays(query),
    tallyHours: { start: Math.ceil(start / HOUR_MS), end: Math.ceil(end / HOUR_MS) },
  };
}
