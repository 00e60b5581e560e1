import { expect, it } from 'vitest';
import { computeFullTime, refilled, scaled, secondsUntilToken, takeTokens } from './rate-limits.ts';

const LIMIT = { burst: 10, perMinute: 6 };
const NOW = 1_700_000_000_000;

it('starts full and never exceeds the burst', () => {
  expect(refilled(null, LIMIT, NOW)).toEqual({ tokens: 10, at: NOW });
  expect(refilled({ tokens: 3, at: NOW }, LIMIT, NOW + 3_600_000)).toEqual({ tokens: 10, at: NOW + 3_600_000 });
});

it('refills evenly, and not when the clock is set back', () => {
  expect(refilled({ tokens: 1, at: NOW }, LIMIT, NOW + 20_000).tokens).toBe(3);
  expect(refilled({ tokens: 1, at: NOW }, LIMIT, NOW - 20_000).tokens).toBe(1);
});

it('returns how long to wait and when the bucket is full again', () => {
  expect(secondsUntilToken({ tokens: 3, at: NOW }, LIMIT)).toBe(0);
  expect(secondsUntilToken({ tokens: 1, at: NOW }, LIMIT)).toBe(0);
  expect(secondsUntilToken({ tokens: 0, at: NOW }, LIMIT)).toBe(10);
  expect(secondsUntilToken({ tokens: 0.95, at: NOW }, LIMIT)).toBe(1);
  expect(computeFullTime({ tokens: 4, at: NOW }, LIMIT)).toBe(NOW + 60_000);
});

it('takes a token from every bucket, or none if one is empty', () => {
  const part = (tokens: number, limit = LIMIT) => ({ bucket: { tokens, at: NOW }, limit });
  const taken = takeTokens([part(2), { bucket: null, limit: scaled(LIMIT, 10) }], NOW);
  expect([taken.seconds, taken.left.map(({ bucket }) => bucket.tokens)]).toEqual([0, [1, 99]]);
  const refused = takeTokens([part(2), part(0), part(0.5)], NOW);
  expect([refused.seconds, refused.left.map(({ bucket }) => bucket.tokens)]).toEqual([10, [2, 0, 0.5]]);
});
