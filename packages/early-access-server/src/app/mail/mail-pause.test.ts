import { fc } from '@early-access-kit/testkit/fast-check';
import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import {
  afterOutcome,
  beginProbe,
  domainsToAvoid,
  isPaused,
  type MailPause,
  mayAttempt,
  pauseDelay,
  readMailPause,
  readTrouble,
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

  it('is read back as it was stored, and nothing else is', () => {
    const pause = firstPause();
    expect(readMailPause(JSON.stringify(pause))).toEqual(pause);
    for (const field of Object.keys(pause)) {
      expect(() => readMailPause(JSON.stringify({ ...pause, [field]: undefined }))).toThrow(TypeError);
    }
  });
});

describe('refusals of recipients', () => {
  const LEASE_MS = 5 * MINUTE_MS;
  const refusal = fc.constantFrom('perhaps-ours', 'unclear', 'later', 'no-mailbox', 'content');
  const step = fc.record({
    person: fc.integer({ min: 0, max: 5 }),
    refusal,
    passed: fc.integer({ min: 0, max: 2 * HOUR_MS }),
    isClaimed: fc.boolean(),
  });
  const refuse = (
    pause: MailPause | null,
    person: string,
    domain: string,
    now: number,
    kind: 'perhaps-ours' | 'unclear' = 'perhaps-ours',
  ) =>
    afterOutcome(
      pause,
      { state: 'queued', retryAt: now, reason: 'no', refusal: kind },
      { messageKey: person, person, domain },
      now,
    );

  it('of one domain never hold up a message to another one, however often and for any reason it refuses', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let now = NOW;
        let pause: MailPause | null = null;
        for (const { person, refusal, passed, isClaimed } of steps) {
          now += passed;
          const messageKey = `key-${person}`;
          if (isClaimed && mayAttempt(pause, 'bad', now)) pause = beginProbe(pause, messageKey, now, LEASE_MS);
          const outcome: MessageOutcome = { state: 'queued', retryAt: now, reason: 'no', refusal };
          pause = afterOutcome(pause, outcome, { messageKey, person: `person-${person}`, domain: 'bad' }, now);
          // While one message is tried, others wait for it.
          expect(mayAttempt(pause && { ...pause, probe: null }, 'good', now)).toBe(true);
          if (mayAttempt(pause, 'good', now)) expect(domainsToAvoid(pause, now).has('good')).toBe(false);
        }
      }),
    );
  });

  it('of one person never pause the queue', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let now = NOW;
        let pause: MailPause | null = null;
        for (const { refusal, passed, isClaimed } of steps) {
          now += passed;
          if (isClaimed) pause = beginProbe(pause, 'key', now, LEASE_MS);
          const outcome: MessageOutcome = { state: 'queued', retryAt: now, reason: 'no', refusal };
          pause = afterOutcome(pause, outcome, { messageKey: 'key', person: 'person', domain: 'bad' }, now);
          expect(isPaused(pause, now)).toBe(false);
        }
      }),
    );
  });

  it('pause the queue once another domain refuses, too, and for everyone', () => {
    const suspicion = refuse(null, 'ada', 'a', NOW);
    expect([suspicion?.refusals, readTrouble(suspicion)?.kind]).toEqual([0, 'recipient-refused']);
    expect(domainsToAvoid(suspicion, NOW)).toEqual(new Set(['a']));
    const pause = refuse(suspicion, 'bob', 'b', NOW);
    expect([isPaused(pause, NOW), mayAttempt(pause, 'c', NOW), readTrouble(pause)]).toEqual([true, false, null]);
    expect(domainsToAvoid(pause, NOW + MINUTE_MS)).toEqual(new Set(['a', 'b']));
  });

  it('pause the queue if the only domain that waits refuses another person, but no other domain', () => {
    const first = refuse(null, 'ada', 'a', NOW);
    // Both were being sent at the same time, so that nobody knows if others wait.
    expect(isPaused(refuse(first, 'bob', 'a', NOW), NOW)).toBe(false);
    const pause = refuse(beginProbe(first, 'bob', NOW, LEASE_MS), 'bob', 'a', NOW);
    expect([isPaused(pause, NOW), mayAttempt(pause, 'a', NOW), mayAttempt(pause, 'b', NOW)]).toEqual([
      true,
      false,
      true,
    ]);
    const probing = beginProbe(pause, 'eve', NOW, LEASE_MS);
    expect(mayAttempt(probing, 'c', NOW)).toBe(false);
    expect(refuse(probing, 'eve', 'b', NOW)).toMatchObject({ refusals: 2, until: NOW + 2 * MINUTE_MS });
  });

  it('by the same people again and again do not make a pause longer', () => {
    let pause = refuse(refuse(null, 'ada', 'a', NOW), 'bob', 'b', NOW);
    for (let now = NOW + MINUTE_MS; now < NOW + HOUR_MS; now += MINUTE_MS) {
      for (const [person, domain] of [
        ['ada', 'a'],
        ['bob', 'b'],
      ] as const) {
        pause = refuse(beginProbe(pause, person, now, LEASE_MS), person, domain, now);
        expect(pause).toMatchObject({ refusals: 1, until: now + MINUTE_MS });
        if (pause) pause = { ...pause, until: now };
      }
    }
  });
});

describe('a mail server that cannot be reached', () => {
  const DOWN: MessageOutcome = { state: 'queued', retryAt: NOW, reason: 'ECONNREFUSED', refusal: 'unreachable' };

  it('is known from the first failed attempt until it says something, and is no refusal', () => {
    const down = afterOutcome(afterOutcome(null, DOWN, ME, NOW), DOWN, ME, NOW + 1_000);
    const trouble = { kind: 'unreachable', since: NOW, until: NOW + 3_000, reason: 'ECONNREFUSED' };
    expect([readTrouble(down), isPaused(down, NOW)]).toEqual([trouble, false]);
    expect(readMailPause(JSON.stringify(down))).toEqual(down);
    expect(afterOutcome(down, UNKNOWN, ME, NOW)).toEqual(down);
    expect([afterOutcome(down, LATER, ME, NOW), afterOutcome(down, { state: 'sent' }, ME, NOW)]).toEqual([null, null]);
    expect(readTrouble(afterOutcome(down, UNCLEAR, ME, NOW))?.kind).toBe('recipient-refused');
  });

  it('does not end a pause, and its message is tried again after the same time', () => {
    const pause = firstPause();
    const probing = beginProbe(pause, ME.messageKey, NOW + MINUTE_MS, MINUTE_MS);
    const after = afterOutcome(probing, DOWN, ME, NOW + MINUTE_MS);
    expect(after).toMatchObject({ refusals: 1, until: NOW + 2 * MINUTE_MS, probe: null, outage: { failures: 1 } });
    for (const outage of [7, { since: 1 }]) {
      expect(() => readMailPause(JSON.stringify({ ...pause, outage }))).toThrow(TypeError);
    }
    for (const suspects of [['ada'], [{ person: 'ada' }]]) {
      expect(() => readMailPause(JSON.stringify({ ...pause, suspects }))).toThrow(TypeError);
    }
  });
});
