/** Milliseconds after which a test or a hook has failed. A test that needs more says so, and why. */
export const LIMIT_MS = 60_000;

/**
 * Milliseconds after which a test gives a condition or a response up: before it fails itself, so that the condition is
 * named.
 */
export const HANGING_MS = 45_000;
