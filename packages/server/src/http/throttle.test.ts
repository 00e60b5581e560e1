import { describe, expect, it } from 'vitest';
import { throttle } from './throttle.ts';

function bench(maxKeys?: number) {
  const clock = { now: 1_000_000 };
  return { clock, tokens: throttle({ burst: 3, perMinute: 6 }, () => clock.now, maxKeys) };
}

describe('throttle', () => {
  it('lets a burst through and then tells how long to wait', () => {
    const { tokens } = bench();
    expect([1, 2, 3, 4, 5].map(() => tokens.take('a'))).toEqual([0, 0, 0, 10, 10]);
  });

  it('counts every key for itself', () => {
    const { tokens } = bench();
    for (let take = 0; take < 4; take += 1) tokens.take('a');
    expect(tokens.take('b')).toBe(0);
  });

  it('refills with time, up to the burst', () => {
    const { tokens, clock } = bench();
    for (let take = 0; take < 4; take += 1) tokens.take('a');
    clock.now += 4_000;
    expect(tokens.take('a')).toBe(6);
    clock.now += 6_000;
    expect(tokens.take('a')).toBe(0);
    clock.now += 3_600_000;
    expect([1, 2, 3, 4].map(() => tokens.take('a'))).toEqual([0, 0, 0, 10]);
  });

  it('is not refilled by a clock that goes back', () => {
    const { tokens, clock } = bench();
    for (let take = 0; take < 3; take += 1) tokens.take('a');
    clock.now -= 3_600_000;
    expect(tokens.take('a')).toBe(10);
  });

  it('can be asked without taking', () => {
    const { tokens } = bench();
    for (let ask = 0; ask < 9; ask += 1) expect(tokens.waitFor('a')).toBe(0);
    for (let take = 0; take < 3; take += 1) tokens.take('a');
    expect(tokens.waitFor('a')).toBe(10);
  });

  it('remembers no more keys than it may, the last used longest', () => {
    const { tokens } = bench(2);
    for (let take = 0; take < 3; take += 1) for (const key of ['a', 'b']) tokens.take(key);
    expect(tokens.take('a')).toBe(10);
    tokens.take('c');
    expect(tokens.waitFor('a')).toBe(10);
    expect(tokens.waitFor('b')).toBe(0);
  });
});
