import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { exampleSession } from '../testing/examples.ts';
import { MAX_TOTAL } from './limits.ts';
import { averageDuration, bounceRate, INITIAL_TOTALS, mergeSession, summarize, toSessionRecord } from './metrics.ts';
import type { SessionTotals } from './records.ts';

const NOW = 1_760_000_000_000;
const THIRTY_DAYS_MS = 30 * 86_400_000;

const totals: fc.Arbitrary<SessionTotals> = fc.record({
  session_end: fc.option(fc.integer({ min: NOW, max: NOW + 1_000_000 })),
  page_count: fc.integer({ min: 1, max: 5 }),
  total_duration: fc.nat(MAX_TOTAL.total_duration),
  max_scroll_depth: fc.nat(100),
  click_count: fc.nat(50),
});

describe('mergeSession', () => {
  const start = toSessionRecord(exampleSession(NOW));
  const merged = (updates: readonly SessionTotals[]) => updates.reduce(mergeSession, start);

  it('gives one record for every order and repetition of the same updates', () => {
    const updatesInTwoOrders = fc
      .array(totals, { maxLength: 8 })
      .chain((updates) =>
        fc.tuple(
          fc.constant(updates),
          fc.shuffledSubarray([...updates, ...updates], { minLength: updates.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(updatesInTwoOrders, ([updates, shuffledTwice]) => {
        expect(merged(shuffledTwice)).toEqual(merged(updates));
      }),
    );
  });

  it('never lowers a total and never turns a session back into a bounce', () => {
    fc.assert(
      fc.property(totals, totals, (first, second) => {
        const before = mergeSession(start, first);
        const after = mergeSession(before, second);
        for (const field of ['page_count', 'total_duration', 'max_scroll_depth', 'click_count'] as const) {
          expect(after[field]).toBeGreaterThanOrEqual(before[field]);
        }
        expect(after.session_end ?? 0).toBeGreaterThanOrEqual(before.session_end ?? 0);
        if (!before.is_bounce) expect(after.is_bounce).toBe(false);
      }),
    );
  });
});

describe('the figures', () => {
  it.each([
    [0, 0, 0],
    [3, 2, 66.67],
    [3, 3, 100],
    [700, 1, 0.14],
  ])('bounce rate of %i sessions with %i bounces is %f percent', (sessions, bounces, expected) => {
    expect(bounceRate({ sessions, bounces })).toBe(expected);
  });

  it.each([
    [0, 0, 0],
    [10, 3, 3],
    [11, 2, 6],
  ])('average of %i seconds over %i sessions is %i', (duration, timed_sessions, expected) => {
    expect(averageDuration({ duration, timed_sessions })).toBe(expected);
  });

  it('includes a session exactly at the start of the window, and no earlier ones', () => {
    const session = toSessionRecord(exampleSession(NOW), { ...INITIAL_TOTALS, total_duration: 8 });
    expect(summarize([session], 0, NOW + THIRTY_DAYS_MS).unique_visitors).toBe(1);
    expect(summarize([session], 0, NOW + THIRTY_DAYS_MS + 1).unique_visitors).toBe(0);
  });
});
