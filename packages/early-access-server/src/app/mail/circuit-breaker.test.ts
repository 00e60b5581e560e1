import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../ports/mail-transport.ts';
import { circuitBreaker } from './circuit-breaker.ts';

const NOW = 1_700_000_000_000;
const SENT: DeliveryResult = { outcome: 'sent' };
const BUSY: DeliveryResult = { outcome: 'refused', refusal: 'later', reason: '451' };
const REJECTED: DeliveryResult = { outcome: 'refused', refusal: 'content', reason: '550' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'no response' };

describe('circuitBreaker', () => {
  it('pauses longer with each deferred message, up to a minute, until one is accepted', () => {
    const server = circuitBreaker();
    const pauses = Array.from({ length: 8 }, () => {
      server.note(BUSY, NOW);
      return server.pauseLeft(NOW);
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(server.isProbing).toBe(false);
    server.note(SENT, NOW);
    expect(server.pauseLeft(NOW)).toBe(0);
  });

  it('pauses up to an hour while responses are lost, and probes with one message at a time, even if some are deferred in between', () => {
    const server = circuitBreaker();
    const pauses = Array.from({ length: 7 }, () => {
      server.note(LOST, NOW);
      return server.pauseLeft(NOW);
    });
    expect(pauses).toEqual([5_000, 20_000, 80_000, 320_000, 1_280_000, 3_600_000, 3_600_000]);
    server.note(BUSY, NOW);
    expect([server.isProbing, server.pauseLeft(NOW)]).toEqual([true, 3_600_000]);
    server.note(REJECTED, NOW);
    expect([server.isProbing, server.pauseLeft(NOW)]).toEqual([false, 0]);
  });

  it('counts refusals that are our problem like a server that is down', () => {
    const server = circuitBreaker();
    server.note({ outcome: 'refused', refusal: 'our-problem', reason: 'relay denied' }, NOW);
    expect(server.pauseLeft(NOW)).toBe(1_000);
  });

  it('counts down, and does not pause longer because the clock is set back', () => {
    const server = circuitBreaker();
    server.note(BUSY, NOW);
    expect([server.pauseLeft(NOW + 400), server.pauseLeft(NOW + 1_000)]).toEqual([600, 0]);
    server.note(BUSY, NOW);
    expect([server.pauseLeft(NOW - 3_600_000), server.pauseLeft(NOW - 3_598_000)]).toEqual([2_000, 0]);
  });
});
