import { expect, it } from 'vitest';
import { CALLER_FACTOR, clientNetworks, PROXY_FACTOR, sharedNetworks } from './client-networks.ts';
import {
  computeFullTime,
  DEFAULT_RATE_LIMITS,
  refilled,
  scaled,
  secondsUntilTokens,
  takeTokens,
} from './rate-limits.ts';

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
  expect(secondsUntilTokens({ tokens: 3, at: NOW }, LIMIT)).toBe(0);
  expect(secondsUntilTokens({ tokens: 1, at: NOW }, LIMIT)).toBe(0);
  expect(secondsUntilTokens({ tokens: 0, at: NOW }, LIMIT)).toBe(10);
  expect(secondsUntilTokens({ tokens: 0.95, at: NOW }, LIMIT)).toBe(1);
  expect(computeFullTime({ tokens: 4, at: NOW }, LIMIT)).toBe(NOW + 60_000);
});

it('takes a token from every bucket, or none if one is empty', () => {
  const part = (tokens: number, limit = LIMIT) => ({ bucket: { tokens, at: NOW }, limit });
  const taken = takeTokens([part(2), { bucket: null, limit: scaled(LIMIT, 10) }], NOW);
  expect([taken.seconds, taken.left.map(({ bucket }) => bucket.tokens)]).toEqual([0, [1, 99]]);
  const refused = takeTokens([part(2), part(0), part(0.5)], NOW);
  expect([refused.seconds, refused.left.map(({ bucket }) => bucket.tokens)]).toEqual([10, [2, 0, 0.5]]);
});

it('takes what each use costs, at most a full bucket', () => {
  const part = (tokens: number, cost: number) => ({ bucket: { tokens, at: NOW }, limit: LIMIT, cost });
  expect(takeTokens([part(9, 8), part(10, 1_000)], NOW).left.map(({ bucket }) => bucket.tokens)).toEqual([1, 0]);
  expect(takeTokens([{ bucket: null, limit: { burst: 0, perMinute: 1 } }], NOW).seconds).toBe(60);
  const refused = takeTokens([part(9, 8), part(4, 7)], NOW);
  expect([refused.seconds, refused.left.map(({ bucket }) => bucket.tokens)]).toEqual([30, [9, 4]]);
});

it('lets no caller use up more than half of what all clients share', () => {
  const findFactor = (networks: readonly { readonly factor: number }[]) =>
    Math.max(...networks.map(({ factor }) => factor));
  const own = ['192.0.2.1', '2001:db8:1:2::3'].map((remoteAddress) =>
    findFactor(clientNetworks({ remoteAddress, forwardedFor: undefined }, 0)),
  );
  expect(own[0] === undefined || own[1] === undefined ? 0 : own[0] + own[1]).toBe(CALLER_FACTOR);
  // Through a proxy, and by avoiding it, with both addresses.
  const proxies = ['192.0.2.1', '2001:db8:1:2::3'].map((address) => findFactor(sharedNetworks(address)));
  expect(proxies).toEqual([PROXY_FACTOR, PROXY_FACTOR]);
  expect(PROXY_FACTOR).toBeGreaterThan(2 * CALLER_FACTOR);
  const { signIns, allSignIns, wrongAdmins, allWrongAdmins, sessionBytes, allSessionBytes } = DEFAULT_RATE_LIMITS;
  // Functions store no sessions, so there is no address to forge.
  expect(allSessionBytes.burst).toBeGreaterThan(2 * CALLER_FACTOR * sessionBytes.burst);
  for (const [one, all] of [
    [signIns, allSignIns],
    [wrongAdmins, allWrongAdmins],
  ] as const) {
    expect(all.burst).toBeGreaterThan(2 * 2 * PROXY_FACTOR * one.burst);
    expect(all.perMinute).toBeGreaterThan(2 * 2 * PROXY_FACTOR * one.perMinute);
  }
});
