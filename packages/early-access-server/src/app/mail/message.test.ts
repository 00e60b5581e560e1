import { expect, it } from 'vitest';

import { MAX_ATTEMPTS, outcomeOf, retryDelay } from './message.ts';

const NOW = 1_700_000_000_000;

it('returns `sent` and `unknown` as they are', () => {
  expect(outcomeOf({ outcome: 'sent' }, 1, NOW)).toEqual({ state: 'sent' });
  expect(outcomeOf({ outcome: 'unknown', reason: 'cut off' }, 1, NOW)).toEqual({ state: 'unknown', reason: 'cut off' });
});

it('retries a deferred message with growing delays', () => {
  const refused = { outcome: 'refused', permanent: false, reason: '451' } as const;
  expect(outcomeOf(refused, 1, NOW)).toEqual({ state: 'queued', retryAt: NOW + 30_000, reason: '451' });
  expect(outcomeOf(refused, 2, NOW)).toEqual({ state: 'queued', retryAt: NOW + 60_000, reason: '451' });
});

it('fails a message that is refused permanently or too often', () => {
  expect(outcomeOf({ outcome: 'refused', permanent: true, reason: '550' }, 1, NOW)).toEqual({
    state: 'failed',
    reason: '550',
  });
  expect(outcomeOf({ outcome: 'refused', permanent: false, reason: '451' }, MAX_ATTEMPTS, NOW)).toEqual({
    state: 'failed',
    reason: '451',
  });
});

it('doubles the delay from 30 seconds up to an hour', () => {
  expect([1, 2, 3, 7, 8, 9, 31].map(retryDelay)).toEqual([
    30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000, 3_600_000,
  ]);
});

it('retries for longer than a day', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelay(index + 1));
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(24 * 3_600_000);
});
