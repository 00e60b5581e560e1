const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 3_600_000;

/** Attempts before a mail is given up: a mail server that is down for a whole day is outlasted. */
export const MAX_ATTEMPTS = 32;

/** Milliseconds to wait after the given number of refused attempts: doubling from 30 seconds up to an hour. */
export function retryDelay(attempts: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));
}
