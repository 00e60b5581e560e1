import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { Temporal } from 'temporal-polyfill';
import { type AnalyticsQuery, COMPARISONS, type Comparison, RANGES, type Range } from './analytics.ts';
import { inZone, knownZone } from './time-zone.ts';

/** The longest period in days: 33 years of monthly bars are fewer than the 400 that a query may have. */
const MAX_DAYS = 12_000;
/** Days ahead that a custom range may end. */
const MAX_DAYS_AHEAD = 366;
/** Up to this number of days the bars are days, and then weeks. */
const DAYS_BY_DAY = 92;
const DAYS_BY_WEEK = 731;

/** How long before a period the one before it starts, unless it is the number of its days. */
const SHIFTS: Readonly<Partial<Record<Range, Temporal.DurationLike>>> = {
  '24h': { hours: 24 },
  month: { months: 1 },
  year: { years: 1 },
};

/** The parameters of the dashboard's route, as they arrive. */
export interface RangeParameters {
  readonly range?: string | undefined;
  /** Days of a custom range, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** An IANA name; UTC if there is none, or if the browser does not know its own. */
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
 * Returns the period of whole days in the time zone, or of the last 24 hours, its bars, and the period to compare with.
 * A period that is not over is compared with as much of that one. `first` is when the first session or signup was
 * stored. Throws a `StorageError` with code `invalid` that says what to send.
 */
export function analyticsRange(parameters: RangeParameters, now: number, first: number | null): AnalyticsRange {
  const range = RANGES.find((known) => known === (parameters.range ?? '30d'));
  if (range === undefined) throw invalid(`range has to be one of ${RANGES.join(', ')}`);
  const compare = COMPARISONS.find((known) => known === (parameters.compare ?? 'period'));
  if (compare === undefined) throw invalid(`compare has to be one of ${COMPARISONS.join(', ')}`);
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
    // Two days start at the same time if a zone skipped one of them.
    buckets: [...new Set(bars)],
    end,
    previousStart: range === 'all' ? null : range === '24h' ? moveBack(start) : at(from.subtract(shift)),
    // A month may have more days than the one before.
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
  // The bars of the last 24 hours are hours, whichever days they are in.
  if (range === '24h') return [today, today];
  if (range !== 'custom') return [today.subtract({ days: Number.parseInt(range, 10) - 1 }), today];
  const [start, end] = [parseDay('from', from), parseDay('to', to)];
  const days = start.until(end).days + 1;
  if (days < 1) throw invalid('from has to be a day before to, or the same');
  if (days > MAX_DAYS) throw invalid(`from and to have to be at most ${MAX_DAYS} days apart`);
  if (start.year < 1970 || today.until(end).days > MAX_DAYS_AHEAD) {
    throw invalid('from and to have to be days after 1970 and at most a year ahead');
  }
  return [start, end];
}

function earlier(a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(a, b) < 0 ? a : b;
}

function parseDay(name: string, value: string | undefined): Temporal.PlainDate {
  const rule = `${name} has to be a day such as 2026-01-31`;
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

/** Starts of the hours, also of a day of 23 or 25 hours. */
function hoursWithin(start: number, end: number): number[] {
  return Array.from({ length: Math.ceil((end - start) / HOUR_MS) }, (_, hour) => start + hour * HOUR_MS);
}

/** First days of the bars: each day, or the first day and each Monday or first of a month after it. */
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

/** The time between two days in a zone, both included; null: no such bound. */
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
