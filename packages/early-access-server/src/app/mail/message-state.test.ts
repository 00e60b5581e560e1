import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  beginAttempt,
  isBounce,
  isDue,
  MAX_ATTEMPTS,
  newMessage,
  retryDelay,
  toMessageOutcome,
} from './message-state.ts';

const NOW = 1_700_000_000_000;

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

describe('a message', () => {
  const queued = newMessage('key', NOW);
  const sending = beginAttempt(queued, NOW, 60_000);

  it('is due at once when it is new, and not while it is sent', () => {
    expect([NOW - 1, NOW, NOW + 1].map((now) => isDue(queued, now))).toEqual([false, true, true]);
    expect(isDue(sending, NOW)).toBe(false);
  });

  it.each(['queued', 'sent', 'failed'] as const)('that is %s waits for no outcome', (state) => {
    expect(afterAttempt({ ...sending, state }, { state: 'sent' }, NOW)).toBeNull();
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
