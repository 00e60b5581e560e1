import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { COMPLAINT_LEVELS, countComplaintsFrom, judgeComplaints } from './complaints.ts';

describe('judgeComplaints', () => {
  it.each([
    [10, 1, 'fine'],
    [10, 2, 'high'],
    [10, 4, 'too-high'],
    [1_000, 1, 'fine'],
    [1_000, 3, 'high'],
    [1_000, 4, 'too-high'],
    [100_000, 100, 'fine'],
    [100_000, 101, 'high'],
    [100_000, 300, 'high'],
    [100_000, 301, 'too-high'],
    [0, 0, 'fine'],
  ] as const)('of %i emails with %i complaints is %s', (emails, complaints, level) => {
    expect(judgeComplaints({ emails, complaints })).toBe(level);
  });

  it('never pauses for one complaint, and gets worse with complaints and better with emails', () => {
    const level = (emails: number, complaints: number) =>
      COMPLAINT_LEVELS.indexOf(judgeComplaints({ emails, complaints }));
    const number = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(number, number, number, (emails, complaints, more) => {
        expect(level(emails, 1)).toBe(0);
        expect(level(emails, complaints + more)).toBeGreaterThanOrEqual(level(emails, complaints));
        expect(level(emails + more, complaints)).toBeLessThanOrEqual(level(emails, complaints));
      }),
    );
  });
});

it('counts the emails of a week, or those since an admin resumed campaigns', () => {
  const now = 100 * DAY_MS;
  expect(countComplaintsFrom(now, null)).toBe(93 * DAY_MS);
  expect(countComplaintsFrom(now, 92 * DAY_MS)).toBe(93 * DAY_MS);
  expect(countComplaintsFrom(now, 99 * DAY_MS)).toBe(99 * DAY_MS);
});
