import { expect, it } from 'vitest';
import { MAX_ATTEMPTS } from './retry.ts';
import { settle } from './settlement.ts';

const NOW = 1_700_000_000_000;

it('keeps what was sent and what may have been', () => {
  expect(settle({ outcome: 'sent' }, 1, NOW)).toEqual({ state: 'sent' });
  expect(settle({ outcome: 'unknown', reason: 'cut off' }, 1, NOW)).toEqual({ state: 'unknown', reason: 'cut off' });
});

it('tries a refused mail again, later each time', () => {
  const refused = { outcome: 'refused', permanent: false, reason: '451' } as const;
  expect(settle(refused, 1, NOW)).toEqual({ state: 'queued', retryAt: NOW + 30_000, reason: '451' });
  expect(settle(refused, 2, NOW)).toEqual({ state: 'queued', retryAt: NOW + 60_000, reason: '451' });
});

it('gives up what is refused for good or too often', () => {
  expect(settle({ outcome: 'refused', permanent: true, reason: '550' }, 1, NOW)).toEqual({
    state: 'failed',
    reason: '550',
  });
  expect(settle({ outcome: 'refused', permanent: false, reason: '451' }, MAX_ATTEMPTS, NOW)).toEqual({
    state: 'failed',
    reason: '451',
  });
});
