import { expect, it } from 'vitest';
import { describeMonth } from './month.ts';

it('prints the text for the documentation', () => {
  expect(describeMonth(1_000_000)).toBe(`A month with 1,000,000 sessions of 700,000 visitors, and 20,000 sign-ups:
  one summary        2,320 billed reads, of index entries alone
  one every minute   100,224,000 billed reads a month, for each instance that is asked
  reading sessions   1,000,000 billed reads for one summary, had they been read
`);
});
