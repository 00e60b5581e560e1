/**
 * The two records that are kept, `email_signups` and `sessions`, with their field names,
 * and the summary that the owner reads. All times are epoch milliseconds, all durations whole seconds.
 */

/**
 * Where a sign-up came from. What is not known is left out, never null or empty for the lack of it; nothing depends on it, so that
 * clients which know nothing of it are served as well.
 */
export interface Attribution {
  /** The page that the form stood on, without query and fragment. */
  readonly page_url?: string;
  /** First touch: the campaign parameters of the page that the visit began on, not of the one that the form stood on. */
  readonly utm_source?: string;
  readonly utm_medium?: string;
  readonly utm_campaign?: string;
  readonly utm_term?: string;
  readonly utm_content?: string;
}

export const CAMPAIGN_FIELDS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
/** Written out: bundlers carry a spread along where nobody uses it. */
export const ATTRIBUTION_FIELDS = [
  'page_url',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const satisfies readonly (keyof Attribution)[];

export type Campaign = Omit<Attribution, 'page_url'>;

/** One early-access sign-up as the browser sends it; `email` identifies it once normalised. */
export interface EmailSignup extends Attribution {
  /** The address as entered. Stores keep it normalised (see `normalizeEmail`). */
  readonly email: string;
  /** The visit that it was made in, or null where visits are not tracked. */
  readonly session_id: string | null;
  /** Where the form stood; the landing page's is `landing_page`. */
  readonly source: string;
  /** The page that led the visitor here, or null. */
  readonly referrer: string | null;
  /** UUID made by the form, the same for every attempt to submit this address: a lost answer can be asked for again. */
  readonly submission_id: string;
}

/** A sign-up as it is kept. */
export interface StoredSignup extends EmailSignup {
  /** When the store first took it, by the store's clock. */
  readonly created_at: number;
}

export const DEVICE_TYPES = ['desktop', 'tablet', 'mobile'] as const;
export const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge', 'Opera', 'Unknown'] as const;
export const OPERATING_SYSTEMS = ['Windows', 'macOS', 'Linux', 'Android', 'iOS', 'Unknown'] as const;

export type DeviceType = (typeof DEVICE_TYPES)[number];
export type Browser = (typeof BROWSERS)[number];
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];

/** What is known when a visit starts and never changes during it. */
export interface SessionStart {
  /** UUID made by the client, so that starting twice gives one record. */
  readonly id: string;
  /** Hash of browser and device traits; equal devices may share one. */
  readonly visitor_id: string;
  readonly session_start: number;
  readonly referrer: string | null;
  readonly user_agent: string;
  readonly device_type: DeviceType;
  readonly browser: Browser;
  readonly os: OperatingSystem;
  readonly is_returning_visitor: boolean;
  /** Visits of this visitor, this one included. */
  readonly total_sessions: number;
}

/** What grows during a visit. Every number is the total so far, never an increment. */
export interface SessionTotals {
  /** When the page was last left or hidden; null while nothing has ended. */
  readonly session_end: number | null;
  /** Page views, from 1. */
  readonly page_count: number;
  /** Whole seconds in which the page was visible. */
  readonly total_duration: number;
  /** Whole percent of the document that was seen, 0 to 100. */
  readonly max_scroll_depth: number;
  readonly click_count: number;
}

/** One visit as it is kept. */
export interface SessionRecord extends SessionStart, SessionTotals {
  /** True while the visit has a single page view; false for good once it has more. */
  readonly is_bounce: boolean;
}

/** A flush of a visit: its totals with the start fields beside them, so that it can stand in for a start that never arrived. */
export type SessionUpdate = Omit<SessionStart, 'id'> & SessionTotals;

/** What the owner sees: numbers only, no person. Sessions count where they started in the last 30 days. */
export interface AnalyticsSummary {
  /** Distinct `visitor_id` among those sessions. */
  readonly unique_visitors: number;
  /** All sign-ups ever, whatever their date. */
  readonly email_signups: number;
  /** Percent of those sessions with a single page view, two decimals; 0 where there are none. */
  readonly bounce_rate: number;
  /** Whole seconds, over those sessions with a positive duration; 0 where there are none. */
  readonly average_duration: number;
}
