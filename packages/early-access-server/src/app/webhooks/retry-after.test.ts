import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

it.each([
  ['120', NOW + 120_000],
  [' 0 ', NOW],
  ['Sat, 28 Nov 2026 13:00:00 GMT', NOW + 3_600_000],
  ['Saturday, 28-Nov-26 13:00:00 GMT', NOW + 3_600_000],
  ['Sat Nov 28 13:00:00 2026', NOW + 3_600_000],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['2026', NOW + 2_026_000],
  ['9'.repeat(50), undefined],
])('reads Retry-After: %s', (header, at) => {
  expect(parseRetryAfter(header, NOW)).toBe(at);
});

it('reads every date that HTTP writes, and never returns a time that is no number', () => {
  const date = fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (date) => {
      expect(parseRetryAfter(date.toUTCString(), NOW)).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(parseRetryAfter(header, NOW)).not.toBeNaN();
    }),
  );
});
