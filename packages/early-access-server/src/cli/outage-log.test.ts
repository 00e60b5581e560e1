import { expect, it, vi } from 'vitest';
import { outageLog } from './outage-log.ts';

it('logs an outage once, then after pauses that double up to an hour, and at once after a recovery', () => {
  const written = vi.fn();
  let now = 1_000_000;
  const log = outageLog(written, () => now);
  const reason = 'the database does not respond: connect ECONNREFUSED';
  function countLines(minutes: number): number {
    written.mockClear();
    for (const end = now + minutes * 60_000; now < end; now += 1_000) {
      log('error', 'campaign-not-fed', { reason: `early-access-kit: ${reason}` });
      log('error', 'request-failed', { route: '/api/signups', status: 503, reason });
    }
    return written.mock.calls.length;
  }
  expect(countLines(1)).toBe(1);
  expect(written).toHaveBeenCalledWith('error', 'database-away', { reason: `early-access-kit: ${reason}` });
  // After 1, 3, 7, 15, 31 and 63 minutes, and then every hour.
  expect(countLines(63)).toBe(6);
  expect(countLines(600)).toBe(10);
  log('info', 'mail-queue-recovered');
  expect(written).toHaveBeenLastCalledWith('info', 'mail-queue-recovered', undefined);
  expect(countLines(1)).toBe(1);
});

it('passes on everything else', () => {
  const written = vi.fn();
  const log = outageLog(written);
  log('error', 'request-failed', { reason: 'disk full' });
  log('error', 'request-failed', { reason: 'disk full' });
  log('info', 'stopping');
  expect(written).toHaveBeenCalledTimes(3);
});
