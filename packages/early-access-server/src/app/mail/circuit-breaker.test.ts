import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../ports/mail-transport.ts';
import { circuitBreaker } from './circuit-breaker.ts';

const NOW = 1_700_000_000_000;
const SENT: DeliveryResult = { outcome: 'sent' };
const DOWN: DeliveryResult = { outcome: 'refused', refusal: 'unreachable', reason: 'ECONNREFUSED' };
const BUSY: DeliveryResult = { outcome: 'refused', refusal: 'later', reason: '451' };
const REJECTED: DeliveryResult = { outcome: 'refused', refusal: 'content', reason: '550' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'no response' };

describe('circuitBreaker', () => {
  it('pauses longer with each message that it did not take, up to a minute, until one is accepted', () => {
    const server = circuitBreaker();
    const pauses = Array.from({ length: 8 }, () => {
      server.note(DOWN, 'a', NOW);
      return server.pauseLeft(NOW);
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(server.isProbing).toBe(false);
    server.note(SENT, 'a', NOW);
    expect(server.pauseLeft(NOW)).toBe(0);
  });

  it('pauses up to an hour while responses are lost, and probes with one message at a time, even if some are deferred in between', () => {
    const server = circuitBreaker();
    const pauses = Array.from({ length: 7 }, () => {
      server.note(LOST, 'a', NOW);
      return server.pauseLeft(NOW);
    });
    expect(pauses).toEqual([5_000, 20_000, 80_000, 320_000, 1_280_000, 3_600_000, 3_600_000]);
    server.note(DOWN, 'a', NOW);
    expect([server.isProbing, server.pauseLeft(NOW)]).toEqual([true, 3_600_000]);
    server.note(REJECTED, 'a', NOW);
    expect([server.isProbing, server.pauseLeft(NOW)]).toEqual([false, 0]);
  });

  it('does not pause for one domain that takes no email now, but for several in a row', () => {
    const server = circuitBreaker();
    const pauses = ['a', 'a', 'a', 'b', 'a', 'c'].map((domain) => {
      server.note(BUSY, domain, NOW);
      return server.pauseLeft(NOW);
    });
    expect(pauses).toEqual([0, 0, 0, 1_000, 2_000, 4_000]);
    server.note(SENT, 'd', NOW);
    server.note(BUSY, 'b', NOW);
    expect(server.pauseLeft(NOW)).toBe(0);
  });

  it('leaves refusals of one recipient to the pause of the queue, which every process knows', () => {
    const server = circuitBreaker();
    for (const refusal of ['our-problem', 'perhaps-ours', 'unclear', 'no-mailbox', 'content'] as const) {
      server.note({ outcome: 'refused', refusal, reason: '550' }, refusal, NOW);
      expect(server.pauseLeft(NOW)).toBe(0);
    }
  });

  it('counts down, and does not pause longer because the clock is set back', () => {
    const server = circuitBreaker();
    server.note(DOWN, 'a', NOW);
    expect([server.pauseLeft(NOW + 400), server.pauseLeft(NOW + 1_000)]).toEqual([600, 0]);
    server.note(DOWN, 'a', NOW);
    expect([server.pauseLeft(NOW - 3_600_000), server.pauseLeft(NOW - 3_598_000)]).toEqual([2_000, 0]);
  });
});
