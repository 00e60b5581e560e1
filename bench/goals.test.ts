import { expect, it } from 'vitest';
import { visitWrites } from './visit-writes.ts';
import { weight } from './weight.ts';

/** The benchmarks with the same result on every machine. `npm run bench` runs the others. */
it.each(Object.entries({ weight, visitWrites }))(
  'every goal of %s is met, or its row says what it is bound by',
  async (_, question) => {
    const { rows } = await question.answer({ quick: true, folder: '', tell: () => {} });
    expect(rows.filter(({ met }) => met !== null).length).toBeGreaterThan(0);
    expect(rows.filter(({ met, note }) => met === false && note === undefined)).toEqual([]);
  },
);
