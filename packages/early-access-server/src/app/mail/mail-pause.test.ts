import { HOUR_MS, MINUTE_MS } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import {
  afterOutcome,
  beginProbe,
  endPause,
  isPaused,
  type MailPause,
  pauseDelay,
  readMailPause,
} from './mail-pause.ts';
import type { MessageOutcome } from './message-state.ts';

const NOW = 1_700_000_000_000;
const ME = { messageKey: 'key-1', person: 'person-1', domain: 'a' };
const DENIED: MessageOutcome = { state: 'queued', retryAt: NOW, reason: 'relay denied', refusal: 'our-problem' };
const LATER: MessageOutcome = { state: 'queued', retryAt: NOW, reason: '451', refusal: 'later' };
const UNCLEAR: MessageOutcome = { state: 'failed', reason: 'spam', refusal: 'unclear' };
const UNKNOWN: MessageOutcome = { state: 'unknown', reason: 'cut off' };

function firstPause(): MailPause {
  const pause = afterOutcome(null, DENIED, ME, NOW);
  if (pause === null) throw new Error('the queue is not paused');
  return pause;
}

describe('a pause of the mail queue', () => {
  it('grows from a minute to an hour', () => {
    expect([1, 2, 3, 6, 7, 50].map((refusals) => pauseDelay(refusals) / MINUTE_MS)).toEqual([1, 2, 4, 32, 60, 60]);
  });

  it('is not made longer by messages that were in progress, nor by a clock that is set back', () => {
    const pause = firstPause();
    expect(isPaused(pause, NOW)).toBe(true);
    for (const outcome of [DENIED, LATER, UNCLEAR, UNKNOWN]) {
      expect(afterOutcome(pause, outcome, { messageKey: 'key-2', person: 'person-2', domain: 'b' }, NOW + 1)).toBe(
        pause,
      );
    }
    expect([isPaused(pause, NOW - 2 * HOUR_MS), isPaused(pause, NOW + MINUTE_MS)]).toEqual([false, false]);
  });

  it('is tried by one message, whose outcome decides', () => {
    const pause = firstPause();
    const at = NOW + MINUTE_MS;
    const probing = beginProbe(pause, ME.messageKey, at, 5 * MINUTE_MS);
    expect([isPaused(probing, at + 1), isPaused(probing, at + 5 * MINUTE_MS)]).toEqual([true, false]);
    const decide = (outcome: MessageOutcome) => afterOutcome(probing, outcome, ME, at);
    expect(decide({ state: 'sent' })).toBeNull();
    expect(decide({ state: 'failed', reason: '550', refusal: 'no-mailbox' })).toBeNull();
    expect(decide({ state: 'failed', reason: '552', refusal: 'content' })).toBeNull();
    expect(decide(DENIED)).toMatchObject({ refusals: 2, since: NOW, until: at + 2 * MINUTE_MS, probe: null });
    expect(decide(UNCLEAR)).toMatchObject({ refusals: 2, until: at + 2 * MINUTE_MS, reason: 'spam' });
    for (const outcome of [LATER, UNKNOWN]) {
      expect(decide(outcome)).toEqual({ ...pause, until: at + MINUTE_MS });
    }
  });

  it('does not begin if messages are deferred or may have been sent', () => {
    expect([LATER, UNKNOWN].map((outcome) => afterOutcome(null, outcome, ME, NOW))).toEqual([null, null]);
  });

  it('begins once three people in a row are refused without a clear reason', () => {
    const refuse = (pause: MailPause | null, person: string) =>
      afterOutcome(pause, UNCLEAR, { messageKey: person, person, domain: person }, NOW);
    const twice = refuse(refuse(refuse(null, 'ada'), 'ada'), 'bob');
    expect([twice?.refusals, isPaused(twice, NOW)]).toEqual([0, false]);
    expect(isPaused(refuse(twice, 'eve'), NOW)).toBe(true);
    expect(afterOutcome(twice, { state: 'sent' }, ME, NOW)).toBeNull();
  });

  it('can be ended, and is longer again if the next message is refused', () => {
    const pause = firstPause();
    const ended = endPause(pause, NOW + 1);
    expect(isPaused(ended, NOW + 1)).toBe(false);
    expect(afterOutcome(ended, DENIED, ME, NOW + 1)).toMatchObject({ refusals: 2, since: NOW });
    expect([endPause(null, NOW), endPause(ended, NOW + 1)]).toEqual([null, ended]);
  });

  it('is read back as it was stored, and nothing else is', () => {
    const pause = firstPause();
    expect(readMailPause(JSON.stringify(pause))).toEqual(pause);
    for (const field of Object.keys(pause)) {
      expect(() => readMailPause(JSON.stringify({ ...pause, [field]: undefined }))).toThrow(TypeError);
    }
  });
});
