import { HOUR_MS } from 'early-access-kit/internal';
import type { Clock } from '../app/ports/clock.ts';
import type { Log } from '../app/ports/log.ts';
import { NO_ANSWER } from '../app/ports/store.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = HOUR_MS;

/**
 * Logs a database outage as `database-away`: immediately, and then at intervals that double, up to an hour. Otherwise
 * every job and request would log each attempt.
 */
export function outageLog(log: Log, clock: Clock = Date.now): Log {
  let pauseMs = 0;
  let nextAt = 0;
  return (level, event, fields) => {
    if (event === 'mail-queue-recovered') [pauseMs, nextAt] = [0, 0];
    const reason = String(fields?.reason);
    if (!reason.includes(NO_ANSWER)) return log(level, event, fields);
    if (clock() < nextAt) return;
    pauseMs = Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    nextAt = clock() + pauseMs;
    log('error', 'database-away', { reason });
  };
}
