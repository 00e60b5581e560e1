/** The dimensions by which visitors, sessions and signups are broken down. An empty value means none or unknown. */
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

/** Distinct values of a dimension per UTC day, in order of arrival. Further values count as `OTHER`. */
export const MAX_VALUES_PER_DAY = 1_000;
export const OTHER = '(other)';

/** In bytes of UTF-8. Longer values count as `OTHER`, because Postgres limits index entries to about 2,700 bytes. */
const MAX_VALUE_BYTES = 2_000;

export function fitsIndex(value: string): boolean {
  return new TextEncoder().encode(value).length <= MAX_VALUE_BYTES;
}

/** A session is engaged if it lasts this long or if this percentage of the page was seen. */
export const ENGAGED_SECONDS = 10;
export const ENGAGED_DEPTH = 50;

/** Visitors who were active in the last five minutes are on the site now. */
export const ACTIVE_MS = 300_000;

/**
 * The longest filtered period with hourly bars. Longer ones need daily bars, because filtered visitors are counted per
 * day.
 */
export const LONGEST_BY_HOUR_MS = 36 * 3_600_000;

/** Selects sessions and signups with all these values. With a filter, visitors are counted as in the breakdowns. */
export type AnalyticsFilter = Readonly<Partial<Record<Dimension, string>>>;

/** Times are epoch milliseconds; a period includes its start and excludes its end. */
export interface AnalyticsQuery {
  /** Start times of the chart's bars, ascending; the first is the start of the period. At most 400. */
  readonly buckets: readonly number[];
  readonly end: number;
  /** Start of the period to compare with, or null for none. */
  readonly previousStart: number | null;
  /** End of the period to compare with. By default the start of this period. The two may overlap. */
  readonly previousEnd?: number;
  readonly filter: AnalyticsFilter;
}

/**
 * Totals of the sessions that started in a period, and of the visitors' signups in it. Imported people do not count as
 * signups.
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
  /** Distinct visitors of these sessions. With a filter, each counts once per UTC day, as in a `BreakdownRow`. */
  readonly visitors: number;
  readonly signups: number;
}

/**
 * The figures of one bar. In a filtered period longer than `LONGEST_BY_HOUR_MS`, a bar contains the UTC days whose noon
 * is in it, so that the bars add up to the period's visitors. Signups still count by their exact time.
 */
export interface Bucket extends PeriodFigures {
  readonly start: number;
}

export interface BreakdownRow {
  readonly value: string;
  /**
   * Each visitor counts once per UTC day, with their first session of the period on that day, so that the rows of a
   * breakdown add up.
   */
  readonly visitors: number;
  readonly signups: number;
  /** How many of these signups have joined so far. Up to an hour old on Firestore. */
  readonly joined: number;
}

export interface PageRow {
  /** The page's path. */
  readonly value: string;
  readonly views: number;
}

export type SourceCounts = Omit<BreakdownRow, 'value'>;

export const RANGES = ['today', 'yesterday', '24h', '7d', '30d', '90d', 'month', 'year', 'all', 'custom'] as const;
export type Range = (typeof RANGES)[number];

/** A period is compared with the preceding one, or with the same days one year earlier. */
export const COMPARISONS = ['period', 'year'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Analytics {
  readonly figures: PeriodFigures;
  readonly previous: PeriodFigures | null;
  readonly buckets: readonly Bucket[];
  /** The rows with the most visitors and signups, at most 100. The others are added up as `OTHER`. */
  readonly breakdowns: Readonly<Record<Dimension, readonly BreakdownRow[]>>;
  /**
   * Page views of the sessions that started in the period, in the same form as breakdowns. Counts at most 100 views per
   * session (10 on Firestore).
   */
  readonly pages: readonly PageRow[];
  /**
   * Distinct visitors with a session that started, or a page that was hidden or left, within the last `ACTIVE_MS`.
   * Ignores the filter.
   */
  readonly active_visitors: number;
  /** Start of the hour of the first session or signup, for the period "all". Null if there is none. */
  readonly first: number | null;
  /** Counts of other events in the period. Null if the store cannot provide them. */
  readonly tallies: Tallies | null;
}

/**
 * Events that are in no other figure: bot sessions, signups rejected by the human check (token missing, rejected or
 * already used, or verifier unreachable), and people added by imports.
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
