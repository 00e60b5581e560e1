/**
 * The product's constants and the limits that every store enforces. Names of durations end in their unit. Values are
 * written out, because bundlers drop an unused number but keep an unused multiplication.
 */

/** A stored session older than this, 30 minutes, is discarded and a new one starts. */
export const SESSION_EXPIRY_MS = 1_800_000;
/** Visible time is added in steps of this duration. */
export const DURATION_TICK_MS = 5_000;
/** The analytics summary covers sessions that started within this time, 30 days. */
export const ANALYTICS_WINDOW_MS = 2_592_000_000;
/** Every attempt of an adapter call settles within this time. */
export const CALL_DEADLINE_MS = 10_000;
/** A visitor's clock that differs from the store's by more than this, a day, is ignored. */
export const CLOCK_TOLERANCE_MS = 86_400_000;
/** Seconds by which a session's visible time may exceed what the store's clock allows, because clocks differ. */
export const DURATION_TOLERANCE_S = 60;

// Separate constants, so that the visitor's bundle only includes the ones it uses.
/** Longest email address: RFC 5321 allows 254 octets in a path. */
export const MAX_EMAIL_LENGTH = 254;
/** Longest input that is normalized at all, in UTF-16 code units: an address with room for surrounding spaces. */
export const MAX_RAW_EMAIL_LENGTH = 1_000;
export const MAX_REFERRER_LENGTH = 2_048;
export const MAX_PAGE_URL_LENGTH = 2_048;
export const MAX_LANDING_PATH_LENGTH = 1_024;
export const MAX_UTM_LENGTH = 256;
export const MAX_USER_AGENT_LENGTH = 1_024;

/** Longest values, in UTF-16 code units. */
export const MAX_LENGTH = {
  email: MAX_EMAIL_LENGTH,
  id: 64,
  source: 64,
  referrer: MAX_REFERRER_LENGTH,
  user_agent: MAX_USER_AGENT_LENGTH,
  page_url: MAX_PAGE_URL_LENGTH,
  landing_path: MAX_LANDING_PATH_LENGTH,
  page_path: MAX_LANDING_PATH_LENGTH,
  utm: MAX_UTM_LENGTH,
} as const;

/** Number of views per session whose paths Firestore stores, including the first one. */
export const MAX_FIRESTORE_VIEWS = 10;

/** Largest totals: higher than any person can reach, so that a forged one cannot overflow a sum. */
export const MAX_TOTAL = {
  page_count: 100_000,
  total_duration: 31_536_000,
  max_scroll_depth: 100,
  click_count: 1_000_000,
  total_sessions: 1_000_000,
} as const;

/** Largest request body a store accepts, in bytes: four times the largest valid one. */
export const MAX_BODY_BYTES = 24_576;
