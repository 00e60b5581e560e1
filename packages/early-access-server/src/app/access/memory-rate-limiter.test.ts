import { liveMegabytes } from '@early-access-kit/testkit/memory';
import { isStorageError } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { memoryRateLimiter } from './memory-rate-limiter.ts';

function fixture(maxKeys?: number) {
  const clock = { now: 1_000_000 };
  const limiter = memoryRateLimiter({ calls: { burst: 3, perMinute: 6 } }, () => clock.now, maxKeys);
  /** Returns 0, or the seconds to wait. */
  async function take(...keys: readonly (string | { key: string; factor: number })[]): Promise<number> {
    try {
      await limiter.take(keys.map((use) => ({ limit: 'calls', ...(typeof use === 'string' ? { key: use } : use) })));
      return 0;
    } catch (error) {
      if (isStorageError(error) && error.code === 'rate-limited') return error.retryAfter ?? 0;
      throw error;
    }
  }
  async function takeTimes(times: number, key: string): Promise<number[]> {
    const waits: number[] = [];
    while (waits.length < times) waits.push(await take(key));
    return waits;
  }
  return { clock, limiter, take, takeTimes };
}

describe('memoryRateLimiter', () => {
  it('allows a burst and then returns the seconds to wait', async () => {
    const { takeTimes } = fixture();
    expect(await takeTimes(5, 'a')).toEqual([0, 0, 0, 10, 10]);
  });

  it('counts each key separately', async () => {
    const { take, takeTimes } = fixture();
    await takeTimes(4, 'a');
    expect(await take('b')).toBe(0);
  });

  it('refills over time, up to the burst', async () => {
    const { take, takeTimes, clock } = fixture();
    await takeTimes(4, 'a');
    clock.now += 4_000;
    expect(await take('a')).toBe(6);
    clock.now += 6_000;
    expect(await take('a')).toBe(0);
    clock.now += 3_600_000;
    expect(await takeTimes(4, 'a')).toEqual([0, 0, 0, 10]);
  });

  it('does not refill when the clock is set back', async () => {
    const { take, takeTimes, clock } = fixture();
    await takeTimes(3, 'a');
    clock.now -= 3_600_000;
    expect(await take('a')).toBe(10);
  });

  it('takes from all buckets or none, and multiplies the limit by the factor', async () => {
    const { take, takeTimes } = fixture();
    const wide = { key: 'wide', factor: 2 };
    for (let turn = 0; turn < 3; turn += 1) expect(await take('a', wide)).toBe(0);
    for (let turn = 0; turn < 9; turn += 1) expect(await take('a', wide)).toBe(10);
    for (let turn = 0; turn < 3; turn += 1) expect(await take('b', wide)).toBe(0);
    expect(await take('c', wide)).toBe(5);
    expect(await takeTimes(4, 'c')).toEqual([0, 0, 0, 10]);
  });

  it('returns taken tokens, up to the burst', async () => {
    const { limiter, takeTimes } = fixture();
    await takeTimes(2, 'a');
    for (let turn = 0; turn < 9; turn += 1) await limiter.giveBack([{ limit: 'calls', key: 'a' }]);
    expect(await takeTimes(4, 'a')).toEqual([0, 0, 0, 10]);
  });

  it('stores the buckets of several clients', async () => {
    const { take, takeTimes } = fixture();
    const clients = ['a', 'b', 'c', 'd', 'e'];
    for (const client of clients) await takeTimes(3, client);
    for (const client of clients) expect(await take(client)).toBe(10);
  });

  it('stores at most `maxKeys` buckets and drops the least recently used', async () => {
    const { take, takeTimes } = fixture(4);
    for (const key of ['a', 'b', 'c', 'd']) await takeTimes(3, key);
    expect(await take('a')).toBe(10);
    // The limiter swaps its maps again: `a` was used since the last swap, `b` was not.
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
    const before = await hold(10_000);
    expect((await hold(80_000)) - before).toBeLessThan(1);
  });
});
