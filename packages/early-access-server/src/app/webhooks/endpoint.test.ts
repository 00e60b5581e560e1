import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { afterDelivery, HEALTHY } from './endpoint.ts';

const NOW = 1_700_000_000_000;
const FAILED = { state: 'queued', retryAt: NOW, reason: 'down' } as const;

describe('afterDelivery', () => {
  it('never asks again before the receiver wants it, unless that is after the day that it may fail for', () => {
    const time = fc.integer({ min: 0, max: 2 * DAY_MS });
    fc.assert(
      fc.property(time, time, fc.nat(20), fc.boolean(), (asked, since, failures, isPaused) => {
        const paused_until = isPaused ? NOW + 1_000 : NOW;
        const failing = { failing_since: NOW - since, failures, paused_until, disabled_at: null };
        const plain = afterDelivery(failing, FAILED, NOW);
        const after = afterDelivery(failing, { ...FAILED, notBefore: NOW + asked }, NOW);
        const latest = Math.min(NOW + asked, failing.failing_since + DAY_MS);
        if (after.disabled_at === null) {
          expect(after).toEqual({ ...plain, paused_until: Math.max(plain.paused_until, latest) });
        } else {
          expect(after).toEqual(plain);
        }
      }),
    );
  });

  it('makes an endpoint healthy that responds, and leaves it off if it is', () => {
    const failing = { failing_since: NOW - 1, failures: 2, paused_until: NOW, disabled_at: 7 };
    expect(afterDelivery(failing, { state: 'sent' }, NOW)).toEqual({ ...HEALTHY, disabled_at: 7 });
  });

  it('counts from an earlier time if the clock was set back', () => {
    expect(afterDelivery({ ...HEALTHY, failing_since: NOW }, FAILED, NOW - 5)).toMatchObject({
      failing_since: NOW - 5,
    });
  });
});
