import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import type { AnalyticsQuery } from '../../app/analytics/analytics.ts';
import { hasBarsOfDays, isFiltered } from '../../app/analytics/compute-analytics.ts';

/** The time from `start` (included) to `end` (excluded). Empty if it ends before it starts. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** Splits a period into its whole units and the parts before and after them. */
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

/** A part of a UTC day, whose figures are computed from rows. */
export interface DayPart extends Period {
  /** A visitor does not count if an earlier session of theirs started at this time or later. */
  readonly since: number;
  /** -1: outside the period; subtracted from the totals of its day. */
  readonly sign: 1 | -1;
}

/**
 * Splits a period into whole UTC days and the parts at its ends. If more than half of the last day is in the period,
 * the whole day counts and the rest is subtracted, because that means fewer rows.
 */
export function splitDays(period: Period): { readonly body: Period; readonly edges: readonly DayPart[] } {
  const { body, edges } = split(period, DAY_MS);
  const parts = edges.map((edge) => ({ ...edge, since: edge.start, sign: 1 as const }));
  const last = parts.at(-1);
  if (last === undefined || last.start % DAY_MS > 0 || last.end - last.start <= DAY_MS / 2)
    return { body, edges: parts };
  const midnight = last.start + DAY_MS;
  return {
    body: { start: body.start, end: midnight },
    edges: [...parts.slice(0, -1), { start: last.end, end: midnight, since: last.start, sign: -1 }],
  };
}

/** Extends a period to whole units if nothing is stored beyond it, so that no rows have to be read there. */
function widen(period: Period, unit: number, stored: Period): Period {
  return {
    start: period.start <= stored.start ? Math.floor(stored.start / unit) * unit : period.start,
    end: period.end >= stored.end ? Math.ceil(stored.end / unit) * unit : period.end,
  };
}

/** Moves a time to the nearest whole unit if its unit contains pruned sessions, of which only totals are left. */
function roundPruned(time: number, unit: number, prunedUntil: number): number {
  return time < Math.ceil(prunedUntil / unit) * unit ? Math.round(time / unit) * unit : time;
}

/** The periods that a query's figures are read from. `stored`: the hours with totals, or null. */
export function listPeriods(query: AnalyticsQuery, stored: Period | null, prunedUntil: number) {
  const { buckets, end, previousStart, previousEnd, filter } = query;
  const toPeriod = (from: number, to: number, unit: number): Period => {
    const [start, until] = [roundPruned(from, unit, prunedUntil), roundPruned(to, unit, prunedUntil)];
    return widen({ start, end: until }, unit, stored ?? { start: 0, end: 0 });
  };
  const start = buckets[0] ?? end;
  const unit = isFiltered(filter) ? DAY_MS : HOUR_MS;
  const barsAreDays = hasBarsOfDays(query) || (isFiltered(filter) && start < prunedUntil);
  return {
    first: stored?.start ?? null,
    period: toPeriod(start, end, unit),
    previous: previousStart === null ? null : toPeriod(previousStart, previousEnd ?? start, unit),
    bars: buckets.map((from, index) => toPeriod(from, buckets[index + 1] ?? end, HOUR_MS)),
    /** The period for figures that are counted per day. */
    days: toPeriod(start, end, DAY_MS),
    hasBarsOfDays: barsAreDays,
    /** False only for hourly bars whose period had to start with a whole day, so that their sessions differ. */
    isSumOfBars: isFiltered(filter) && (barsAreDays || start === roundPruned(start, DAY_MS, prunedUntil)),
    tallyHours: { start: Math.ceil(start / HOUR_MS), end: Math.ceil(end / HOUR_MS) },
  };
}
