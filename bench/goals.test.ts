import { expect, it } from 'vitest';
import { visitWrites } from './visit-writes.ts';

// `npm test -- early-access-kit#size` holds the weight of a page to the same goals; `npm run bench` runs the others.
it('meets every goal of visitWrites, or says in its row what it is bound by', async () => {
  const { rows } = await visitWrites.answer({ quick: true, folder: '', tell: () => {} });
  expect(rows.filter(({ met }) => met !== null).length).toBeGreaterThan(0);
  expect(rows.filter(({ met, note }) => met === false && note === undefined)).toEqual([]);
});
