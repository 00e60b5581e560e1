import { billedReads } from 'early-access-server/firestore';
import { expect, it } from 'vitest';
import { describeMonth, simulatedMonth } from './month.ts';

it('bills a summary of a million sessions as one read per 1,000 index entries', () => {
  expect(billedReads(simulatedMonth(1_000_000))).toBe(1_000 + 500 + 100 + 700 + 20);
});

it('bills each query of a small month as one read', () => {
  expect(billedReads(simulatedMonth(100))).toBe(5);
  expect(billedReads(simulatedMonth(0))).toBe(5);
});

it('prints the text for the documentation', () => {
  expect(describeMonth(1_000_000)).toBe(`A month with 1,000,000 sessions of 700,000 visitors, and 20,000 sign-ups:
  one summary        2,320 billed reads, of index entries alone
  one every minute   100,224,000 billed reads a month, for each instance that is asked
  reading sessions   1,000,000 billed reads for one summary, had they been read
`);
});
