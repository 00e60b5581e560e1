const DAY_MS = 86_400_000;

/** A signup that is not confirmed gets one reminder after this long, and is erased after `PENDING_MS`. */
export const REMINDER_AFTER_MS = 3 * DAY_MS;
export const PENDING_MS = 30 * DAY_MS;
