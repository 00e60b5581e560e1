import type { SignupFields } from './fields.ts';

/**
 * The two stored records, `email_signups` and `sessions`, with their field names, and the analytics summary that the
 * admin reads. All times are epoch milliseconds, all durations whole seconds.
 */

/**
 * Where a signup came from. Unknown fields are omitted, never null or empty. All are optional, so clients that do not
 * send them keep working.
 */
export interface Attribution {
  /** The page that showed the form, without query and fragment. */
  readonly page_url?: string;
  /** First touch: the campaign parameters of the page the session started on, not of the page with the form. */
  readonly utm_source?: string;
  readonly utm_medium?: string;
  readonly utm_campaign?: string;
  readonly utm_term?: string;
  readonly utm_content?: string;
}

/** The parameters of a campaign in a page's URL that are stored. */
export const CAMPAIGN_FIELDS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
/** Listed again, because bundlers keep an unused spread. */
export const ATTRIBUTION_FIELDS = [
  'page_url',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const satisfies readonly (keyof Attribution)[];

export type Campaign = Omit<Attribution, 'page_url'>;

/** Where a session started. Unknown fields are omitted, never null or empty. All are optional, as in `Attribution`. */
export interface Landing extends Campaign {
  /**
   * The path of the page that the session started on, without query and fragment. A path in the fragment (`#/prices`)
   * is included.
   */
  readonly landing_path?: string;
}

/** The session fields that describe where the visitor came from. */
export const LANDING_FIELDS = [
  'landing_path',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const satisfies readonly (keyof Landing)[];

/** An early-access signup as the browser sends it. The normalized `email` identifies it. */
export interface EmailSignup extends Attribution {
  /** The address as entered. Stores save it normalized (see `normalizeEmail`). */
  readonly email: string;
  /** The session in which the form was submitted; null if sessions are not tracked. */
  readonly session_id: string | null;
  /** The form's place on the site; `landing_page` for the landing page. */
  readonly source: string;
  /** The page that linked the visitor here, or null. */
  readonly referrer: string | null;
  /**
   * Random id created by the form, the same for every attempt to submit this address, so that it can be retried.
   */
  readonly submission_id: string;
  /** The values of the host's own fields; left out if there are none. */
  readonly fields?: SignupFields;
  /** The token of the form's human check, for servers that require one; never stored. */
  readonly human_token?: string;
}

/** A signup as stored. */
export interface StoredSignup extends Omit<EmailSignup, 'human_token'> {
  /** Time of the first storage, by the store's clock, in epoch milliseconds. */
  readonly created_at: number;
}

/** The kinds of devices that the tracker distinguishes. */
export const DEVICE_TYPES = ['desktop', 'tablet', 'mobile'] as const;
/** The browsers that the tracker distinguishes. */
export const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge', 'Opera', 'Unknown'] as const;
/** The operating systems that the tracker distinguishes. */
export const OPERATING_SYSTEMS = ['Windows', 'macOS', 'Linux', 'Android', 'iOS', 'Unknown'] as const;

/** A kind of device that the tracker distinguishes. */
export type DeviceType = (typeof DEVICE_TYPES)[number];
/** A browser that the tracker distinguishes. */
export type Browser = (typeof BROWSERS)[number];
/** An operating system that the tracker distinguishes. */
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];

/** The fields that are known when a session starts and never change during it. */
export interface SessionStart extends Landing {
  /** Random id created by the client, so that starting twice gives one record. */
  readonly id: string;
  /** Hash of browser and device traits; identical devices may share one. */
  readonly visitor_id: string;
  readonly session_start: number;
  readonly referrer: string | null;
  readonly user_agent: string;
  readonly device_type: DeviceType;
  readonly browser: Browser;
  readonly os: OperatingSystem;
  readonly is_returning_visitor: boolean;
  /** Sessions of this visitor, including this one. */
  readonly total_sessions: number;
}

/** The fields that grow during a session. Every number is the total so far, never an increment. */
export interface SessionTotals {
  /** When the page was last left or hidden; null if it has not been. */
  readonly session_end: number | null;
  /** Page views, from 1. */
  readonly page_count: number;
  /** Whole seconds during which the page was visible. */
  readonly total_duration: number;
  /** Percentage of the document that was seen, an integer from 0 to 100. */
  readonly max_scroll_depth: number;
  readonly click_count: number;
}

/** A session as stored. */
export interface SessionRecord extends SessionStart, SessionTotals {
  /** True while the session has a single page view; permanently false once it has more. */
  readonly is_bounce: boolean;
}

/** An update of a session: its totals plus its start fields, so that it can replace a start that never arrived. */
export type SessionUpdate = Omit<SessionStart, 'id'> &
  SessionTotals & {
    /**
     * The path of the page, in the form of `landing_path`. An update without `session_end` reports a view of this page
     * with the number `page_count`. Not part of the session's record.
     */
    readonly page_path?: string;
  };

/** The analytics summary: figures only, no personal data. Includes sessions that started in the last 30 days. */
export interface AnalyticsSummary {
  /** Number of distinct `visitor_id`s of those sessions. */
  readonly unique_visitors: number;
  /** Number of all signups ever, regardless of date. */
  readonly email_signups: number;
  /** Percentage of those sessions with a single page view, with two decimals; 0 if there are none. */
  readonly bounce_rate: number;
  /** Whole seconds, averaged over those sessions with a positive duration; 0 if there are none. */
  readonly average_duration: number;
}
