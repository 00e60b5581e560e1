import { describe, expect, it } from 'vitest';
import { BreakdownSums } from './breakdown.ts';

describe('BreakdownSums', () => {
  it('adds up what is counted for a value, and has no row for a value without anything', () => {
    const sums = new BreakdownSums();
    sums.add('news', { visitors: 2, signups: 1, joined: 1 });
    sums.add('nothing', { visitors: 0, signups: 0, joined: 0 });
    sums.add('news', { visitors: 3, signups: 4, joined: 2 });
    expect(sums.rows()).toEqual([{ value: 'news', visitors: 5, signups: 5, joined: 3 }]);
  });

  it('orders rows by visitors, then by signups, then by value', () => {
    const sums = new BreakdownSums();
    sums.add('b', { visitors: 1, signups: 1, joined: 0 });
    sums.add('c', { visitors: 0, signups: 5, joined: 0 });
    sums.add('a', { visitors: 1, signups: 1, joined: 0 });
    sums.add('d', { visitors: 1, signups: 2, joined: 0 });
    sums.add('e', { visitors: 2, signups: 0, joined: 0 });
    expect(sums.rows().map(({ value }) => value)).toEqual(['e', 'd', 'a', 'b', 'c']);
  });

  it('has 100 rows at most, of which one is the sum of the rest', () => {
    const sums = new BreakdownSums();
    for (let index = 0; index < 100; index += 1)
      sums.add(`value-${index}`, { visitors: 1_000 - index, signups: 1, joined: 0 });
    expect(sums.rows()).toHaveLength(100);
    expect(sums.rows().at(-1)).toEqual({ value: 'value-99', visitors: 901, signups: 1, joined: 0 });
    sums.add('last', { visitors: 1, signups: 7, joined: 0 });
    expect(sums.rows()).toHaveLength(100);
    expect(sums.rows().slice(-2)).toEqual([
      { value: '(other)', visitors: 902, signups: 8, joined: 0 },
      { value: 'value-98', visitors: 902, signups: 1, joined: 0 },
    ]);
  });
});
