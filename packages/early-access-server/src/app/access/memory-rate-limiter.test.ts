import { liveMegabytes } from '@early-access-kit/testkit/memory';
import { describe, expect, it } from 'vitest';
import { rateLimiterContract, rateLimiterHarness } from '../../fixtures/rate-limiter-contract.ts';
import { memoryRateLimiter } from './memory-rate-limiter.ts';

rateLimiterContract('memoryRateLimiter', memoryRateLimiter);

const fixture = (maxKeys?: number) =>
  rateLimiterHarness((rateLimits, clock) => memoryRateLimiter(rateLimits, clock, maxKeys));

describe('memoryRateLimiter', () => {
  it('stores at most `maxKeys` buckets and drops the least recently used', async () => {
    const { take, takeTimes } = fixture(4);
    for (const key of ['a', 'b', 'c', 'd']) await takeTimes(3, key);
    expect(await take('a')).toBe(10);
    // Makes room: `a` was used last, `b` was not.
    await take('e');
    expect(await take('a')).toBe(10);
    expect(await takeTimes(1, 'b')).toEqual([0]);
  });

  it('forgets buckets that are full again before any other', async () => {
    const { take, takeTimes, clock } = fixture(4);
    await takeTimes(3, 'a');
    for (const key of ['b', 'c', 'd']) {
      await take(key);
      clock.now += 7_500;
    }
    await take('e');
    // Not full before 30 seconds have passed. Forgotten, it would have three tokens.
    expect(await takeTimes(3, 'a')).toEqual([0, 0, 8]);
  });

  it('holds no more memory for many clients that call once than for a few', async () => {
    const { take, clock } = fixture();
    const hold = async (clients: number) => {
      for (let client = 0; client < clients; client += 1) {
        clock.now += 10;
        await take(`client-${clock.now}`);
      }
      return liveMegabytes();
    };
    const before = await hold(4_000);
    expect((await hold(20_000)) - before).toBeLessThan(1);
  });
});
