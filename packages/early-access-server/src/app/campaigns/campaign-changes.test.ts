import { describe, expect, it } from 'vitest';
import {
  DRAFT_CHANGED,
  whyNotBecome,
  whyNotEdited,
  whyNotScheduled,
  whyNotStartable,
  whyWrongTime,
} from './campaign-changes.ts';
import type { StepTiming } from './step-timing.ts';

const SERIES: StepTiming = { after: 'joined', previous: null, days: 1 };
const STARTED = 'this email has been started, so it can no longer be';

describe('an admin learns why', () => {
  it.each([
    ['draft', null, 'changed', DRAFT_CHANGED],
    ['draft', SERIES, 'changed', DRAFT_CHANGED],
    ['paused', SERIES, 'changed', DRAFT_CHANGED],
    ['draft', SERIES, 'deleted', 'another email of the series comes after it; change that one first'],
    ['sending', SERIES, 'changed', 'pause this email of the series to change it'],
    ['sending', SERIES, 'deleted', `${STARTED} deleted`],
    ['sending', null, 'changed', `${STARTED} changed`],
    ['paused', SERIES, 'deleted', `${STARTED} deleted`],
    ['paused', null, 'changed', `${STARTED} changed`],
    ['done', null, 'changed', `${STARTED} changed`],
    ['cancelled', SERIES, 'changed', `${STARTED} changed`],
    ['scheduled', null, 'changed', 'this email is scheduled; unschedule it to change or delete it'],
    ['scheduled', null, 'deleted', 'this email is scheduled; unschedule it to change or delete it'],
  ] as const)('an email that is %s, with the timing %j, was not %s', (state, series, done, reason) => {
    expect(whyNotEdited({ state, series }, done)).toBe(reason);
  });

  it.each([
    ['draft', 'sending', DRAFT_CHANGED],
    ['draft', 'paused', 'this email has changed since you opened it; check it again'],
    ['cancelled', 'sending', 'this email has changed since you opened it; check it again'],
    ['sending', 'sending', null],
  ] as const)('an email that is %s did not become %s', (state, to, reason) => {
    expect(whyNotBecome(state, to)).toBe(reason);
  });

  it.each([
    ['draft', null, DRAFT_CHANGED],
    ['sending', null, 'this email is scheduled or started already'],
    ['draft', SERIES, 'an email of the series is turned on, not scheduled'],
  ] as const)('an email that is %s, with the timing %j, was not scheduled', (state, series, reason) => {
    expect(whyNotScheduled({ state, series })).toBe(reason);
  });

  it('a follow-up that waits cannot be started, and has a delay instead of a time', () => {
    expect(whyNotStartable({ follows: '1', state: 'draft' })).toBe('a follow-up is scheduled by its days');
    expect(whyNotStartable({ follows: '1', state: 'paused' })).toBeNull();
    expect(whyNotStartable({ follows: null, state: 'draft' })).toBeNull();
    const [time, other] = ['2026-12-01T09:00', { follows: null }];
    expect(whyWrongTime({ follows: '1' }, time)).toBe('at must be null for a follow-up');
    expect(whyWrongTime(other, null)).toBe('at must be a local time');
    expect([whyWrongTime(other, time), whyWrongTime({ follows: '1' }, null)]).toEqual([null, null]);
  });
});
