import { expect, it } from 'vitest';
import { visitWrites } from './visit-writes.ts';

/** The only benchmark with the same result on every machine. `npm run bench` runs the others. */
it('every goal of visitWrites is met, or its row says what it is bound by', async () => {
  const { rows } = await visitWrites.answer({ quick: true, folder: '', tell: () => {} });
  expect(rows.filter(({ met }) => met !== null).length).toBeGreaterThan(0);
  expect(rows.filter(({ met, note }) => met === false && note === undefined)).toEqual([]);
});
