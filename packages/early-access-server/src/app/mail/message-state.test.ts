import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  afterLease,
  beginAttempt,
  isBeingSent,
  isBounce,
  isDue,
  MAX_ATTEMPTS,
  type MessageRecord,
  newMessage,
  postponed,
  requeued,
  retryDelay,
  toMessageOutcome,
} from './message-state.ts';

const NOW = 1_700_000_000_000;
const LATER = NOW + 5_000;

describe('toMessageOutcome', () => {
  it('returns `sent` and `unknown` as they are', () => {
    expect(toMessageOutcome({ outcome: 'sent' }, 1, NOW)).toEqual({ state: 'sent' });
    const lost = { outcome: 'unknown', reason: 'cut off' } as const;
    expect(toMessageOutcome(lost, MAX_ATTEMPTS, NOW)).toEqual({ state: 'unknown', reason: 'cut off' });
  });

  it('retries a deferred message with growing delays', () => {
    const refused = { outcome: 'refused', refusal: 'later', reason: '451' } as const;
    const queued = { state: 'queued', reason: '451', refusal: 'later' };
    expect(toMessageOutcome(refused, 1, NOW)).toEqual({ ...queued, retryAt: NOW + 30_000 });
    expect(toMessageOutcome(refused, 2, NOW)).toEqual({ ...queued, retryAt: NOW + 60_000 });
    expect(toMessageOutcome(refused, MAX_ATTEMPTS - 1, NOW)).toMatchObject({ state: 'queued' });
  });

  it.each(['no-mailbox', 'content'] as const)('fails a message at once that is refused as %s', (refusal) => {
    const outcome = toMessageOutcome({ outcome: 'refused', refusal, reason: '550' }, 1, NOW);
    expect(outcome).toEqual({ state: 'failed', reason: '550', refusal });
    expect(isBounce(outcome, 'welcome')).toBe(refusal === 'no-mailbox');
    expect(isBounce(outcome, 'correction')).toBe(false);
  });

  it.each(['later', 'unreachable', 'perhaps-ours', 'unclear'] as const)(
    'retries a message that is refused as %s for about a day, then fails it, and never as a bounce',
    (refusal) => {
      const refused = { outcome: 'refused', refusal, reason: '5' } as const;
      expect(toMessageOutcome(refused, MAX_ATTEMPTS - 1, NOW)).toMatchObject({ state: 'queued', refusal });
      const outcome = toMessageOutcome(refused, MAX_ATTEMPTS, NOW);
      expect(outcome).toEqual({ state: 'failed', reason: '5', refusal });
      expect(isBounce(outcome, 'welcome')).toBe(false);
    },
  );

  it('uses up no attempts of a message that is refused while the queue is paused, so that none fails for it', () => {
    const outcome = { state: 'queued', retryAt: NOW, reason: '550', refusal: 'perhaps-ours' } as const;
    const sending = { ...beginAttempt(newMessage('key', NOW), NOW, 60_000), attempts: MAX_ATTEMPTS - 1 };
    expect(afterAttempt(sending, outcome, NOW, false)?.attempts).toBe(MAX_ATTEMPTS - 1);
    expect(afterAttempt(sending, outcome, NOW, true)?.attempts).toBe(8);
  });

  it('retries for ever while the problem is ours, which uses up none of the attempts of a day', () => {
    const refused = { outcome: 'refused', refusal: 'our-problem', reason: '550 relay not permitted' } as const;
    const outcome = toMessageOutcome(refused, 10 * MAX_ATTEMPTS, NOW);
    expect(outcome).toMatchObject({ state: 'queued', retryAt: NOW + 3_600_000, refusal: 'our-problem' });
    const sending = { ...beginAttempt(newMessage('key', NOW), NOW, 60_000), attempts: 10 * MAX_ATTEMPTS };
    const attempts = afterAttempt(sending, outcome, NOW)?.attempts ?? 0;
    const rest = Array.from({ length: MAX_ATTEMPTS - attempts }, (_, index) => retryDelay(attempts + index));
    expect(rest.reduce((sum, pause) => sum + pause)).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(afterAttempt({ ...sending, attempts: 2 }, outcome, NOW)?.attempts).toBe(2);
  });
});

describe('retryDelay', () => {
  it('doubles from 30 seconds up to an hour', () => {
    expect([1, 2, 3, 7, 8, 9, 31].map(retryDelay)).toEqual([
      30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000, 3_600_000,
    ]);
  });

  it('makes attempts for longer than a day', () => {
    const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelay(index + 1));
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(24 * 3_600_000);
  });
});

describe('a message', () => {
  const queued = newMessage('key', NOW);
  const sending = beginAttempt(queued, LATER, 60_000);
  const inState = (state: MessageRecord['state']): MessageRecord => ({ ...sending, state });

  it('is due at once when it is new, and when its next attempt is', () => {
    expect(queued).toEqual({
      state: 'queued',
      message_key: 'key',
      attempts: 0,
      next_attempt_at: NOW,
      lease_until: 0,
      reason: null,
      changed_at: NOW,
    });
    expect([NOW - 1, NOW, LATER].map((now) => isDue(queued, now))).toEqual([false, true, true]);
    expect(isDue(sending, LATER)).toBe(false);
  });

  it('is being sent until its lease ends', () => {
    expect(sending).toEqual({
      ...queued,
      state: 'sending',
      attempts: 1,
      lease_until: LATER + 60_000,
      changed_at: LATER,
    });
    expect(isBeingSent(sending, LATER + 60_000)).toBe(true);
    expect(isBeingSent(sending, LATER + 60_001)).toBe(false);
    expect(isBeingSent(inState('queued'), LATER)).toBe(false);
  });

  it('waits for its mailbox and says so', () => {
    expect(postponed(queued, 'welcome', LATER, NOW + 1)).toEqual({
      ...queued,
      next_attempt_at: LATER,
      reason: 'its mailbox got 3 messages within a day',
      changed_at: NOW + 1,
    });
  });

  it.each([
    [{ state: 'sent' }, { reason: null }],
    [
      { state: 'queued', retryAt: LATER + 7, reason: '451' },
      { reason: '451', next_attempt_at: LATER + 7 },
    ],
    [{ state: 'unknown', reason: 'cut off' }, { reason: 'cut off' }],
    [{ state: 'failed', reason: '550' }, { reason: '550' }],
  ] as const)('keeps the outcome %j, also one that comes after the lease', (outcome, changed) => {
    const after = { ...sending, state: outcome.state, changed_at: LATER + 1, ...changed };
    expect(afterAttempt(sending, outcome, LATER + 1)).toEqual(after);
    expect(afterAttempt(inState('unknown'), outcome, LATER + 1)).toEqual(after);
  });

  it.each(['queued', 'sent', 'failed'] as const)('that is %s waits for no outcome', (state) => {
    expect(afterAttempt(inState(state), { state: 'sent' }, LATER)).toBeNull();
  });

  it('is unknown once its lease has ended without an outcome', () => {
    const reason = 'the sending process ended before the outcome was known';
    expect(afterLease(sending, LATER + 60_000)).toBeNull();
    expect(afterLease(sending, LATER + 60_001)).toEqual({
      ...sending,
      state: 'unknown',
      reason,
      changed_at: LATER + 60_001,
    });
    expect(afterLease(inState('queued'), LATER + 60_001)).toBeNull();
  });

  it('is queued again after any outcome, but not while it is being sent', () => {
    const failed = { ...inState('failed'), reason: '550' };
    expect(requeued(failed, LATER + 9)).toEqual({
      ...failed,
      state: 'queued',
      attempts: 0,
      next_attempt_at: LATER + 9,
      reason: null,
      changed_at: LATER + 9,
    });
    expect(requeued(sending, LATER + 9)).toBeNull();
  });
});
