import { describe, expect, it } from 'vitest';
import { BreakdownSums } from './breakdown.ts';

describe('BreakdownSums', () => {
  it('adds up what is counted for a value, and has no row for a value without anything', () => {
    const sums = new BreakdownSums();
    sums.add('news', 2, 1);
    sums.add('nothing', 0, 0);
    sums.add('news', 3, 4);
    expect(sums.rows()).toEqual([{ value: 'news', visitors: 5, signups: 5 }]);
  });

  it('orders rows by visitors, then by signups, then by value', () => {
    const sums = new BreakdownSums();
    sums.add('b', 1, 1);
    sums.add('c', 0, 5);
    sums.add('a', 1, 1);
    sums.add('d', 1, 2);
    sums.add('e', 2, 0);
    expect(sums.rows().map(({ value }) => value)).toEqual(['e', 'd', 'a', 'b', 'c']);
  });

  it('has 100 rows at most, of which one is the sum of the rest', () => {
    const sums = new BreakdownSums();
    for (let index = 0; index < 100; index += 1) sums.add(`value-${index}`, 1_000 - index, 1);
    expect(sums.rows()).toHaveLength(100);
    expect(sums.rows().at(-1)).toEqual({ value: 'value-99', visitors: 901, signups: 1 });
    sums.add('last', 1, 7);
    expect(sums.rows()).toHaveLength(100);
    expect(sums.rows().slice(-2)).toEqual([
      { value: '(other)', visitors: 902, signups: 8 },
      { value: 'value-98', visitors: 902, signups: 1 },
    ]);
  });
});
