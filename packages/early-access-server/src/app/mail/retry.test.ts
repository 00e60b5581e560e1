import { expect, it } from 'vitest';
import { MAX_ATTEMPTS, retryDelay } from './retry.ts';

it('doubles the pause from half a minute up to an hour', () => {
  expect([1, 2, 3, 7, 8, 9, 31].map(retryDelay)).toEqual([
    30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000, 3_600_000,
  ]);
});

it('outlasts a mail server that is down for a day', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelay(index + 1));
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(24 * 3_600_000);
});
