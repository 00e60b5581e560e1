import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../../mail/transport.ts';
import { breaker } from './breaker.ts';

const NOW = 1_700_000_000_000;
const SENT: DeliveryResult = { outcome: 'sent' };
const BUSY: DeliveryResult = { outcome: 'refused', permanent: false, reason: '451' };
const NOBODY: DeliveryResult = { outcome: 'refused', permanent: true, reason: '550' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'no answer' };

describe('breaker', () => {
  it('rests longer the more is refused, up to a minute, until a mail is taken', () => {
    const server = breaker();
    const rests = Array.from({ length: 8 }, () => {
      server.note(BUSY, NOW);
      return server.restLeft(NOW);
    });
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(server.isProbing).toBe(false);
    server.note(SENT, NOW);
    expect(server.restLeft(NOW)).toBe(0);
  });

  it('rests up to an hour while answers get lost, and tries with one mail at a time, whatever is refused in between', () => {
    const server = breaker();
    const rests = Array.from({ length: 7 }, () => {
      server.note(LOST, NOW);
      return server.restLeft(NOW);
    });
    expect(rests).toEqual([5_000, 20_000, 80_000, 320_000, 1_280_000, 3_600_000, 3_600_000]);
    server.note(BUSY, NOW);
    expect([server.isProbing, server.restLeft(NOW)]).toEqual([true, 3_600_000]);
    server.note(NOBODY, NOW);
    expect([server.isProbing, server.restLeft(NOW)]).toEqual([false, 0]);
  });

  it('lets time pass, and rests no longer because the clock is set back', () => {
    const server = breaker();
    server.note(BUSY, NOW);
    expect([server.restLeft(NOW + 400), server.restLeft(NOW + 1_000)]).toEqual([600, 0]);
    server.note(BUSY, NOW);
    expect([server.restLeft(NOW - 3_600_000), server.restLeft(NOW - 3_598_000)]).toEqual([2_000, 0]);
  });
});
