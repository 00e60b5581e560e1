import { DAY_MS, HOUR_MS } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { listPeriods, split } from './periods.ts';

describe('split', () => {
  it.each([
    [
      'has whole units and what is around them',
      5,
      35,
      [10, 30],
      [
        [5, 10],
        [30, 35],
      ],
    ],
    ['has no part before a unit that it starts with', 10, 35, [10, 30], [[30, 35]]],
    ['has no part after a unit that it ends with', 5, 30, [10, 30], [[5, 10]]],
    ['has no parts if it is whole units', 10, 30, [10, 30], []],
    [
      'has no whole unit, but two parts, around a border',
      5,
      15,
      [10, 10],
      [
        [5, 10],
        [10, 15],
      ],
    ],
    ['is one part within a unit', 3, 7, [10, 10], [[3, 7]]],
  ])('a period %s', (_, start, end, body, edges) => {
    const toPeriod = ([from = 0, to = 0]: number[]) => ({ start: from, end: to });
    expect(split({ start, end }, 10)).toEqual({ body: toPeriod(body), edges: edges.map(toPeriod) });
  });
});

describe('listPeriods', () => {
  const FIRST = 10 * DAY_MS + 5 * HOUR_MS + 7;
  const LAST = 12 * DAY_MS + 5 * HOUR_MS + 7;
  const within = { start: FIRST + 1, end: LAST };
  const query = { buckets: [within.start], end: within.end, previousStart: null, filter: {} };

  it('are the periods of the query within the stored time', () => {
    const periods = listPeriods(query, [LAST, FIRST]);
    expect(periods).toMatchObject({ first: FIRST, period: within, previous: null, bars: [within], days: within });
  });

  it('are widened to whole hours, or to days for what is counted by days, where nothing is stored beyond', () => {
    const all = { ...query, buckets: [FIRST], end: LAST + 1 };
    const hours = { start: 10 * DAY_MS + 5 * HOUR_MS, end: 12 * DAY_MS + 6 * HOUR_MS };
    const days = { start: 10 * DAY_MS, end: 13 * DAY_MS };
    expect(listPeriods(all, [FIRST, LAST])).toMatchObject({ period: hours, bars: [hours], days });
    const filtered = { ...all, filter: { utm_source: 'news' } };
    expect(listPeriods(filtered, [FIRST, LAST])).toMatchObject({ period: days, bars: [hours], days });
  });

  it('have the period before, bars that end where the next one starts, and hours of what is counted elsewhere', () => {
    const middle = 11 * DAY_MS;
    const compared = { ...query, buckets: [FIRST + 5, middle], previousStart: FIRST + 1 };
    expect(listPeriods(compared, [FIRST, LAST])).toMatchObject({
      previous: { start: FIRST + 1, end: FIRST + 5 },
      bars: [
        { start: FIRST + 5, end: middle },
        { start: middle, end: LAST },
      ],
      tallyHours: { start: 10 * 24 + 6, end: 12 * 24 + 6 },
    });
  });

  it('are finite if nothing is stored', () => {
    expect(listPeriods(query, [])).toMatchObject({ first: null, period: { start: within.start, end: HOUR_MS } });
  });
});
