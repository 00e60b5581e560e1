/** Default timeout of tests and hooks, in milliseconds. Tests that need more set their own and explain why. */
export const LIMIT_MS = 60_000;

/**
 * Milliseconds to wait for a condition or response. Less than the test's timeout, so that the failure names the
 * condition.
 */
export const HANGING_MS = 45_000;
