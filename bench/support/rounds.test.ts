import { expect, it } from 'vitest';
import { BUSY_LIMIT, timesOfStat } from './quiet.ts';
import { alternate } from './rounds.ts';
import { atLeastTimes, atMost, atMostMore, atMostTimes, type Row } from './row.ts';
import { formatTable } from './table.ts';

const quiet = { tell: () => {}, share: async () => 0 };

/** Returns a run that measures these values one after the other, or throws the given errors. */
function measures(...values: (number | Error)[]): () => Promise<number> {
  return async () => {
    const value = values.shift();
    if (typeof value !== 'number') throw value;
    return value;
  };
}

const print = (row: Row) => formatTable(new Map([['question', [row]]]));

it('takes the median of the ratios of the rounds, not the ratio of the medians', async () => {
  // The machine is ten times slower in the second round, and twice as slow in the third.
  const runs = { ours: measures(1, 20, 2), other: measures(2, 30, 4) };
  const rounds = await alternate(runs, { rounds: 3, ...quiet });
  expect(
    rounds.row({ name: 'time', unit: 'ms', of: (ms) => ms, beside: 'other', goal: atMostTimes(0.5) }),
  ).toStrictEqual({
    name: 'time',
    unit: 'ms',
    ours: 2,
    theirs: 4,
    ratio: 0.5,
    goal: '≤ 0.5×',
    met: true,
    against: 'other',
    ratios: { min: 0.5, max: 0.6667, samples: 3 },
  });
});

it('alternates the order between rounds', async () => {
  const order: string[] = [];
  const run = (name: string) => async () => order.push(name);
  await alternate({ ours: run('ours'), first: run('first'), second: run('second') }, { rounds: 2, ...quiet });
  expect(order).toEqual(['ours', 'first', 'second', 'second', 'first', 'ours']);
});

it('repeats a run that fails or measures nothing, and counts it', async () => {
  const runs = {
    ours: measures(3, Number.NaN, 3, 3),
    other: measures(new Error('crashed'), 2, 2, 2),
    third: measures(1, 1, 1),
  };
  const rounds = await alternate(runs, { rounds: 3, ...quiet });
  const row = rounds.row({ name: 'time', unit: 'ms', of: (ms) => ms, beside: 'other', goal: atMostMore(1, 'ms') });
  expect(row).toMatchObject({ ratio: 1.5, met: true, repeated: { runs: 2, of: 6 } });
  expect(print(row)).toContain('2 of 6 runs');
  expect(print(row)).not.toContain('NaN');
  expect(rounds.row({ name: 'time', unit: 'ms', of: (ms) => ms }).repeated).toEqual({ runs: 1, of: 3 });
});

it('gives up if a run always fails, or if one of its figures is never a number', async () => {
  const failing = { ours: measures(1), other: measures(...Array.from({ length: 3 }, () => new Error('no browser'))) };
  await expect(alternate(failing, { rounds: 1, ...quiet })).rejects.toThrow('no browser');
  const missing = { ours: async () => ({ lcpMs: Number.NaN }), other: async () => ({ lcpMs: 1 }) };
  await expect(alternate(missing, { rounds: 1, ...quiet })).rejects.toThrow('lcpMs was not measured');
});

it('reports that the machine is busy, instead of judging', async () => {
  const shares = [0, BUSY_LIMIT + 0.2, 0];
  const runs = { ours: measures(1, 1, 1), other: measures(1, 1, 1) };
  const rounds = await alternate(runs, { ...quiet, rounds: 3, share: async () => shares.shift() ?? 0 });
  const row = rounds.row({ name: 'time', unit: 'ms', of: (ms) => ms, beside: 'other', goal: atMostTimes(1) });
  expect(row).toMatchObject({ ratio: 1, met: null, busy: BUSY_LIMIT + 0.2 });
  expect(print(row)).toMatch(/busy/);
});

it('compares with zero', async () => {
  const none = await alternate({ ours: measures(0), other: measures(0) }, { rounds: 1, ...quiet });
  const equal = none.row({ name: 'blocking', unit: 'ms', of: (ms) => ms, beside: 'other', goal: atMostTimes(1) });
  expect(equal).toMatchObject({ ratio: 1, met: true });
  const some = await alternate({ ours: measures(5), other: measures(0) }, { rounds: 1, ...quiet });
  const more = { name: 'blocking', unit: 'ms', of: (ms: number) => ms, beside: 'other' } as const;
  expect(some.row({ ...more, goal: atMostTimes(9) })).toMatchObject({ ratio: null, met: false, spread: { max: 5 } });
  expect(some.row({ ...more, goal: atMostMore(5, 'ms') }).met).toBe(true);
});

it('never meets a goal for a comparison that is missing', async () => {
  const rounds = await alternate({ ours: measures(1) }, { rounds: 1, ...quiet });
  const asked = { name: 'rate', unit: '/s', of: (rate: number) => rate };
  for (const goal of [atLeastTimes(0), atMostTimes(9), atMostMore(9, '/s')]) {
    expect(rounds.row({ ...asked, goal })).toMatchObject({ theirs: null, ratio: null, met: false });
  }
  expect(rounds.row({ ...asked, goal: atMost(1) }).met).toBe(true);
});

it('counts time taken by a virtual machine’s host as use by others, and waiting for the disk as idle', () => {
  expect(timesOfStat('cpu  10 20 30 400 50 1 2 7 99 99\ncpu0 1 1 1 1 1 1 1 1 0 0\n')).toEqual({ busy: 70, all: 520 });
});
