import { expect, it } from 'vitest';
import { billedReads, dashboardReads } from './billed-reads.ts';

it('a summary is billed one read for each 1,000 index entries of a query, and at least one', () => {
  const scale = { sessions: 1_000_000, bounces: 500_000, untimed: 100_001, visitors: 1, signups: 0 };
  expect(billedReads(scale)).toBe(1_000 + 500 + 101 + 1 + 1);
});

it('a view of the dashboard is billed what still changes, the hours of two days, and the archive', () => {
  const live = 150 + 100 + 2 * 40 + 50;
  expect(dashboardReads(1_000_001)).toBe(4 + live + 50 + 2 + 26);
});
