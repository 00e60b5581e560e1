import { timingSafeEqual } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_BUDGETS } from './budgets.ts';
import { ownerCheck } from './owner-check.ts';

vi.mock(import('node:crypto'), async (original) => {
  const crypto = await original();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const OWNER = 'owner@example.com';
const check = (given: unknown) =>
  ownerCheck({ adminEmail: OWNER, budgets: DEFAULT_BUDGETS, clock: () => 0 })(given, 'client');

beforeEach(() => {
  vi.mocked(timingSafeEqual).mockClear();
});

describe('the check of the owner', () => {
  it.each([OWNER, ' OWNER@Example.com '])('lets %j pass', (given) => {
    expect(() => check(given)).not.toThrow();
  });

  it.each([
    ['nothing', ''],
    ['its first letter', 'o'],
    ['all but its last letter', OWNER.slice(0, -1)],
    ['more than it', `${OWNER}m`],
    ['another first letter', 'pwner@example.com'],
    ['a zero at its end', `${OWNER}\u0000`],
    ['ten thousand letters', 'x'.repeat(10_000)],
  ])('refuses %s after comparing two digests of equal length in constant time', (_, given) => {
    expect(() => check(given)).toThrow('this address may not read the numbers');
    expect(timingSafeEqual).toHaveBeenCalledOnce();
    const [compared = []] = vi.mocked(timingSafeEqual).mock.calls;
    expect(compared.map(({ byteLength }) => byteLength)).toEqual([32, 32]);
    expect(compared.map(String)).not.toContain(OWNER);
  });
});
