/** The dimensions that break down visitors, sessions and signups. An empty value means none or unknown. */
export const DIMENSIONS = [
  'referrer_host',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'landing_path',
  'device_type',
  'browser',
  'os',
  'visitor_type',
  'country',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/**
 * Distinct values that a dimension has on one UTC day, in the order in which they arrive; the rest counts as `OTHER`.
 */
export const MAX_VALUES_PER_DAY = 1_000;
export const OTHER = '(other)';

/** Longer values count as `OTHER`, too, in bytes of UTF-8: Postgres has room for about 2,700 in an index entry. */
const MAX_VALUE_BYTES = 2_000;

export function fitsIndex(value: string): boolean {
  return new TextEncoder().encode(value).length <= MAX_VALUE_BYTES;
}

/** A session is engaged if it lasted this long or if this much of the page was seen. */
export const ENGAGED_SECONDS = 10;
export const ENGAGED_DEPTH = 50;

/** Visitors of the last five minutes are on the site now. */
export const ACTIVE_MS = 300_000;

/**
 * Up to this length a filtered period's bars may be hours, which are shorter than the days that visitors are counted
 * by.
 */
export const LONGEST_BY_HOUR_MS = 36 * 3_600_000;

/** Only sessions and signups with all these values count. With a filter, visitors are counted as in the breakdowns. */
export type AnalyticsFilter = Readonly<Partial<Record<Dimension, string>>>;

/** Times are epoch milliseconds; a period includes its start and excludes its end. */
export interface AnalyticsQuery {
  /** Where the chart's bars start, ascending; the first is the start of the period. At most 400. */
  readonly buckets: readonly number[];
  readonly end: number;
  /** Start of the period to compare with. Null: none. */
  readonly previousStart: number | null;
  /** Its end, where this period starts unless given. The two may overlap. */
  readonly previousEnd?: number;
  readonly filter: AnalyticsFilter;
}

/**
 * Sums over the sessions that started, and the signups that visitors made, in a period. Imported people are no signups.
 */
export interface PeriodFigures {
  readonly sessions: number;
  /** Sessions with a single page view. */
  readonly bounces: number;
  /** Visible seconds of all sessions. */
  readonly duration: number;
  /** Sessions with a positive duration. */
  readonly timed_sessions: number;
  /** See `ENGAGED_SECONDS`. */
  readonly engaged_sessions: number;
  /** Distinct visitors of these sessions. With a filter they count once a UTC day, as in a `BreakdownRow`. */
  readonly visitors: number;
  readonly signups: number;
}

/**
 * The figures of a bar. With a filter, in a period longer than `LONGEST_BY_HOUR_MS`, all but the signups are those of
 * the UTC days whose noon is in it, so that the bars add up to the period's visitors.
 */
export interface Bucket extends PeriodFigures {
  readonly start: number;
}

export interface BreakdownRow {
  readonly value: string;
  /**
   * Counted once a UTC day, by the visitor's first session in the period on that day, so that the rows of a breakdown
   * add up.
   */
  readonly visitors: number;
  readonly signups: number;
  /** How many of these signups have joined so far. On Firestore it is up to an hour old. */
  readonly joined: number;
}

export interface PageRow {
  /** Its path. */
  readonly value: string;
  readonly views: number;
}

export type SourceCounts = Omit<BreakdownRow, 'value'>;

export const RANGES = ['today', 'yesterday', '24h', '7d', '30d', '90d', 'month', 'year', 'all', 'custom'] as const;
export type Range = (typeof RANGES)[number];

/** A period is compared with the one before it, or with the same days of the year before. */
export const COMPARISONS = ['period', 'year'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Analytics {
  readonly figures: PeriodFigures;
  readonly previous: PeriodFigures | null;
  readonly buckets: readonly Bucket[];
  /** The rows with the most visitors and signups, at most 100; the rest is added up as `OTHER`. */
  readonly breakdowns: Readonly<Record<Dimension, readonly BreakdownRow[]>>;
  /**
   * Page views of the sessions that started in the period, in rows as the breakdowns have them. Up to 100 views of a
   * session count, on Firestore up to 10.
   */
  readonly pages: readonly PageRow[];
  /**
   * Distinct visitors whose session started, or whose page was last hidden or left, within `ACTIVE_MS`. The filter does
   * not apply.
   */
  readonly active_visitors: number;
  /** The start of the hour of the first session or signup, or null: the period of "all". */
  readonly first: number | null;
  /** Events of the period that nothing else counts. Null if the store cannot know. */
  readonly tallies: Tallies | null;
}

/**
 * Events that no figure counts: visits of robots, signups that a human check refused because their token was missing,
 * refused by its verifier or used already, or because the verifier could not be reached, and people whom imports added.
 */
export const TALLIES = [
  'robots',
  'human_missing',
  'human_refused',
  'human_replayed',
  'human_unreachable',
  'imported',
] as const;
export type Tally = (typeof TALLIES)[number];
export type Tallies = Readonly<Record<Tally, number>>;

export function mapTallies(countOf: (tally: Tally) => number): Tallies {
  return {
    robots: countOf('robots'),
    human_missing: countOf('human_missing'),
    human_refused: countOf('human_refused'),
    human_replayed: countOf('human_replayed'),
    human_unreachable: countOf('human_unreachable'),
    imported: countOf('imported'),
  };
}

export const NO_TALLIES = mapTallies(() => 0);
