import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { Temporal } from 'temporal-polyfill';
import { type AnalyticsQuery, COMPARISONS, type Comparison, RANGES, type Range } from './analytics.ts';
import { inZone, knownZone } from './time-zone.ts';

/** The longest period in days. 33 years of monthly bars stay below the limit of 400 bars. */
const MAX_DAYS = 12_000;
/** How many days in the future a custom range may end. */
const MAX_DAYS_AHEAD = 366;
/** Periods of up to this number of days have daily bars; longer ones have weekly bars. */
const DAYS_BY_DAY = 92;
const DAYS_BY_WEEK = 731;

/** How far back the previous period starts. By default, the number of days of the period. */
const SHIFTS: Readonly<Partial<Record<Range, Temporal.DurationLike>>> = {
  '24h': { hours: 24 },
  month: { months: 1 },
  year: { years: 1 },
};

/** Query parameters of the dashboard's route, not yet validated. */
export interface RangeParameters {
  readonly range?: string | undefined;
  /** First and last day of a custom range, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA time zone. UTC if it is missing or if the browser does not know its own. */
  readonly zone?: string | undefined;
  readonly compare?: string | undefined;
}

export interface AnalyticsRange extends Omit<AnalyticsQuery, 'filter'> {
  readonly range: Range;
  readonly compare: Comparison;
  readonly previousEnd: number;
  readonly zone: string;
  readonly bucket: 'hour' | 'day' | 'week' | 'month';
}

/**
 * Returns the period of whole days in the time zone (or of the last 24 hours), its bars, and the period to compare
 * with. A period that has not ended is compared with the same part of the previous one. `first` is the time of the
 * first stored session or signup. Throws a `StorageError` with code `invalid` that explains the expected parameters.
 */
export function analyticsRange(parameters: RangeParameters, now: number, first: number | null): AnalyticsRange {
  const range = RANGES.find((known) => known === (parameters.range ?? '30d'));
  if (range === undefined) throw invalid(`range must be one of ${RANGES.join(', ')}`);
  const compare = COMPARISONS.find((known) => known === (parameters.compare ?? 'period'));
  if (compare === undefined) throw invalid(`compare must be one of ${COMPARISONS.join(', ')}`);
  const zone = knownZone(parameters.zone);
  const today = findDay(zone, now);
  const [from, to] = resolveDays(range, parameters, today, first === null ? today : findDay(zone, first));
  const days = from.until(to).days + 1;
  const at = (day: Temporal.PlainDate): number => day.toZonedDateTime(zone).epochMilliseconds;
  const nextHour = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const [start, end] = range === '24h' ? [nextHour - 24 * HOUR_MS, nextHour] : [at(from), at(to.add({ days: 1 }))];
  const bucket =
    range === '24h' || days === 1 ? 'hour' : days <= DAYS_BY_DAY ? 'day' : days <= DAYS_BY_WEEK ? 'week' : 'month';
  const bars = bucket === 'hour' ? hoursWithin(start, end) : listBars(bucket, from, to).map(at);
  const shift = compare === 'year' ? { years: 1 } : (SHIFTS[range] ?? { days });
  const moveBack = (time: number): number => inZone(zone, time).subtract(shift).epochMilliseconds;
  const isOpen = start < now && now < end;
  const previousEnd = isOpen ? moveBack(now) : at(to.add({ days: 1 }).subtract(shift));
  return {
    range,
    compare,
    zone,
    bucket,
    // If a zone skipped a day, two days start at the same time.
    buckets: [...new Set(bars)],
    end,
    previousStart: range === 'all' ? null : range === '24h' ? moveBack(start) : at(from.subtract(shift)),
    // A month may be longer than the previous one.
    previousEnd: compare === 'year' ? previousEnd : Math.min(start, previousEnd),
  };
}

function resolveDays(
  range: Range,
  { from, to }: RangeParameters,
  today: Temporal.PlainDate,
  first: Temporal.PlainDate,
): [Temporal.PlainDate, Temporal.PlainDate] {
  if (range === 'all') {
    const earliest = today.subtract({ days: MAX_DAYS - 1 });
    return [Temporal.PlainDate.compare(first, earliest) < 0 ? earliest : earlier(first, today), today];
  }
  if (range === 'today') return [today, today];
  if (range === 'yesterday') return [today.subtract({ days: 1 }), today.subtract({ days: 1 })];
  if (range === 'month') return [today.with({ day: 1 }), today];
  if (range === 'year') return [today.with({ month: 1, day: 1 }), today];
  // The last 24 hours have hourly bars regardless of days.
  if (range === '24h') return [today, today];
  if (range !== 'custom') return [today.subtract({ days: Number.parseInt(range, 10) - 1 }), today];
  const [start, end] = [parseDay('from', from), parseDay('to', to)];
  const days = start.until(end).days + 1;
  if (days < 1) throw invalid('from must not be after to');
  if (days > MAX_DAYS) throw invalid(`from and to must be at most ${MAX_DAYS} days apart`);
  if (start.year < 1970 || today.until(end).days > MAX_DAYS_AHEAD) {
    throw invalid('from and to must be after 1970 and at most a year ahead');
  }
  return [start, end];
}

function earlier(a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(a, b) < 0 ? a : b;
}

function parseDay(name: string, value: string | undefined): Temporal.PlainDate {
  const rule = `${name} must be a day such as 2026-01-31`;
  if (value === undefined || !/^\d{4}-\d\d-\d\d$/.test(value)) throw invalid(rule);
  try {
    return Temporal.PlainDate.from(value);
  } catch {
    throw invalid(rule);
  }
}

function findDay(zone: string, time: number): Temporal.PlainDate {
  return inZone(zone, time).toPlainDate();
}

/** Start times of the hours. Works for days of 23 and 25 hours. */
function hoursWithin(start: number, end: number): number[] {
  return Array.from({ length: Math.ceil((end - start) / HOUR_MS) }, (_, hour) => start + hour * HOUR_MS);
}

/** First days of the bars: every day, or the first day and then each Monday or first of a month. */
function listBars(
  bucket: 'day' | 'week' | 'month',
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const bars: Temporal.PlainDate[] = [];
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = nextBar(bucket, day)) bars.push(day);
  return bars;
}

function nextBar(bucket: 'day' | 'week' | 'month', day: Temporal.PlainDate): Temporal.PlainDate {
  if (bucket === 'day') return day.add({ days: 1 });
  if (bucket === 'week') return day.add({ days: 8 - day.dayOfWeek });
  return day.with({ day: 1 }).add({ months: 1 });
}

function invalid(rule: string): StorageError {
  return new StorageError('invalid', rule);
}

/** The instants of a range of days in a zone, both days included. Null: no bound on that side. */
export function findPeriod(
  { from, to, zone }: Pick<RangeParameters, 'from' | 'to' | 'zone'>,
  now: number,
): { readonly from: number | null; readonly to: number | null } {
  const day = (text: string) => analyticsRange({ range: 'custom', from: text, to: text, zone }, now, null);
  return {
    from: from === undefined ? null : (day(from).buckets[0] ?? null),
    to: to === undefined ? null : day(to).end,
  };
}
