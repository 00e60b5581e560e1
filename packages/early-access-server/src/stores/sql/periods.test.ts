import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { listPeriods, split, splitDays } from './periods.ts';

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

describe('splitDays', () => {
  const [day, hour] = [
    (days: number) => days * DAY_MS,
    (days: number, hours: number) => days * DAY_MS + hours * HOUR_MS,
  ];
  const added = (start: number, end: number) => ({ start, end, since: start, sign: 1 });

  it.each([
    ['the rest of a day', hour(1, 22), day(2), { start: day(2), end: day(2) }, [added(hour(1, 22), day(2))]],
    ['up to half a day', day(1), hour(1, 12), { start: day(1), end: day(1) }, [added(day(1), hour(1, 12))]],
    ['the middle of a day', hour(1, 1), hour(1, 23), { start: day(2), end: day(2) }, [added(hour(1, 1), hour(1, 23))]],
  ])('reads %s from its rows', (_, start, end, body, edges) => {
    expect(splitDays({ start, end })).toEqual({ body, edges });
  });

  it.each([
    ['a day that begins in the evening', hour(1, 22), [added(hour(1, 22), day(2))], day(2)],
    ['most of a day', day(2), [], day(2)],
    ['days', day(1), [], day(1)],
  ])('takes the rest of the last day away from %s', (_, start, edges, first) => {
    const rest = { start: hour(2, 22), end: day(3), since: day(2), sign: -1 };
    expect(splitDays({ start, end: hour(2, 22) })).toEqual({
      body: { start: first, end: day(3) },
      edges: [...edges, rest],
    });
  });
});

describe('listPeriods', () => {
  const FIRST = 10 * DAY_MS + 5 * HOUR_MS + 7;
  const LAST = 12 * DAY_MS + 5 * HOUR_MS + 7;
  const STORED = { start: 10 * DAY_MS + 5 * HOUR_MS, end: 12 * DAY_MS + 6 * HOUR_MS };
  const within = { start: FIRST, end: LAST };
  const query = { buckets: [within.start], end: within.end, previousStart: null, filter: {} };

  it('are the periods of the query within the stored time', () => {
    const periods = listPeriods(query, STORED, 0);
    expect(periods).toMatchObject({
      first: STORED.start,
      period: within,
      previous: null,
      bars: [within],
      days: within,
    });
  });

  it('are widened to whole hours, or to days for what is counted by days, where nothing is stored beyond', () => {
    const all = { ...query, buckets: [STORED.start - 7], end: STORED.end + 7 };
    const hours = STORED;
    const days = { start: 10 * DAY_MS, end: 13 * DAY_MS };
    expect(listPeriods(all, STORED, 0)).toMatchObject({ period: hours, bars: [hours], days });
    const filtered = { ...all, filter: { utm_source: 'news' } };
    expect(listPeriods(filtered, STORED, 0)).toMatchObject({ period: days, bars: [hours], days });
  });

  it('have the period before, bars that end where the next one starts, and hours of what is counted elsewhere', () => {
    const middle = 11 * DAY_MS;
    const compared = { ...query, buckets: [FIRST + 5, middle], previousStart: FIRST + 1 };
    expect(listPeriods(compared, STORED, 0)).toMatchObject({
      previous: { start: FIRST + 1, end: FIRST + 5 },
      bars: [
        { start: FIRST + 5, end: middle },
        { start: middle, end: LAST },
      ],
      tallyHours: { start: 10 * 24 + 6, end: 12 * 24 + 6 },
    });
  });

  it('are finite if nothing is stored', () => {
    expect(listPeriods(query, null, 0)).toMatchObject({ first: null, period: { start: within.start, end: 0 } });
  });

  it('begin and end with whole hours, or with days for what is counted by days, where only sums are left', () => {
    const asked = { ...query, buckets: [FIRST + 20 * HOUR_MS, FIRST + 40 * HOUR_MS], previousStart: FIRST };
    const [hour, day] = [(hours: number) => STORED.start + hours * HOUR_MS, (days: number) => days * DAY_MS];
    expect(listPeriods(asked, STORED, FIRST + 30 * HOUR_MS)).toMatchObject({
      period: { start: hour(20), end: LAST },
      previous: { start: hour(0), end: hour(20) },
      bars: [
        { start: hour(20), end: FIRST + 40 * HOUR_MS },
        { start: FIRST + 40 * HOUR_MS, end: LAST },
      ],
      days: { start: day(11), end: LAST },
      hasBarsOfDays: false,
    });
    const filtered = listPeriods({ ...asked, filter: { utm_source: 'news' } }, STORED, FIRST + 30 * HOUR_MS);
    expect(filtered).toMatchObject({ previous: { start: day(10), end: day(11) }, hasBarsOfDays: true });
  });

  it.each([
    ['a day of bars of hours', 0, true],
    ['pruned sessions, which have bars of days', FIRST + 1, true],
    ['the rest of a day whose start is pruned, which begins with a whole day', FIRST - 1, false],
  ])('tell whether they are the sum of their bars: %s', (_, prunedUntil, isSumOfBars) => {
    const filtered = { ...query, end: FIRST + DAY_MS, filter: { utm_source: 'news' } };
    expect(listPeriods(filtered, STORED, prunedUntil)).toMatchObject({ isSumOfBars });
    expect(listPeriods({ ...filtered, filter: {} }, STORED, prunedUntil)).toMatchObject({ isSumOfBars: false });
  });
});
