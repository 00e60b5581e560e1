/**
 * The product's constants and the bounds that every store enforces. Durations end in their unit.
 * They are written out: bundlers carry along a product that nobody uses, but not a number.
 */

/** A stored visit older than this, 30 minutes, is discarded and a new one starts. */
export const SESSION_EXPIRY_MS = 1_800_000;
/** The visible time of a page is counted in steps of this. */
export const DURATION_TICK_MS = 5_000;
/** The summary covers sessions that started within this time, 30 days. */
export const ANALYTICS_WINDOW_MS = 2_592_000_000;
/** Every call of an adapter ends within this, one way or the other. */
export const CALL_DEADLINE_MS = 10_000;
/** A visitor's clock that is further off than this, a day, is not believed. */
export const CLOCK_TOLERANCE_MS = 86_400_000;
/** How much longer than the store's clock allows a session may claim to have been visible, in seconds: clocks differ. */
export const DURATION_TOLERANCE_S = 60;

// Apart from the other lengths, so that the visitor's page carries these alone.
/** RFC 5321 leaves 254 octets for an address in a path. */
export const MAX_EMAIL_LENGTH = 254;
/** Longest input that is normalised at all, in UTF-16 units: an address, with room for spaces around it. */
export const MAX_RAW_EMAIL_LENGTH = 1_000;
export const MAX_REFERRER_LENGTH = 2_048;
export const MAX_PAGE_URL_LENGTH = 2_048;
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
  utm: MAX_UTM_LENGTH,
} as const;

/** Largest totals: beyond what a person can reach, so that a forged one cannot overflow a sum. */
export const MAX_TOTAL = {
  page_count: 100_000,
  total_duration: 31_536_000,
  max_scroll_depth: 100,
  click_count: 1_000_000,
  total_sessions: 1_000_000,
} as const;

/** Largest request body that a store has to read: four times the largest valid one, in bytes. */
export const MAX_BODY_BYTES = 24_576;
