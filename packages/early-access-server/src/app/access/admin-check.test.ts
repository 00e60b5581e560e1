import { timingSafeEqual } from 'node:crypto';
import { StorageError } from 'early-access-kit/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkAdmin } from './admin-check.ts';

vi.mock(import('node:crypto'), async (original) => {
  const crypto = await original();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const OWNER = 'owner@example.com';
const limiter = { take: vi.fn(async () => {}), giveBack: vi.fn(async () => {}) };
const check = (given: unknown, adminEmail: string | null = OWNER) =>
  checkAdmin({ given, adminEmail, limiter, client: [{ key: '192.0.2.1', factor: 1 }] });
const TAKEN = [
  [
    { limit: 'wrongAdmins', key: '192.0.2.1', factor: 1 },
    { limit: 'allWrongAdmins', key: 'all' },
  ],
];

beforeEach(() => {
  vi.clearAllMocks();
});

describe('checkAdmin', () => {
  it.each([OWNER, ' OWNER@Example.com '])('resolves for %j and gives the tokens back', async (given) => {
    await check(given);
    expect(limiter.take.mock.calls).toEqual([TAKEN]);
    expect(limiter.giveBack.mock.calls).toEqual([TAKEN]);
  });

  it.each([
    ['nothing', ''],
    ['its first letter', 'o'],
    ['all but its last letter', OWNER.slice(0, -1)],
    ['more than it', `${OWNER}m`],
    ['another first letter', 'pwner@example.com'],
    ['a zero at its end', `${OWNER}\u0000`],
    ['a thousand letters', 'x'.repeat(1_000)],
  ])('rejects for %s after comparing two digests of equal length in constant time', async (_, given) => {
    await expect(check(given)).rejects.toMatchObject({ code: 'forbidden' });
    expect(timingSafeEqual).toHaveBeenCalledOnce();
    const [compared = []] = vi.mocked(timingSafeEqual).mock.calls;
    expect(compared.map(({ byteLength }) => byteLength)).toEqual([32, 32]);
    expect(compared.map(String)).not.toContain(OWNER);
    expect(limiter.giveBack).not.toHaveBeenCalled();
  });

  it('rejects for every address if none is configured', async () => {
    for (const given of ['', 'null', OWNER])
      await expect(check(given, null)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('compares nothing without tokens', async () => {
    limiter.take.mockRejectedValueOnce(new StorageError('rate-limited', 'too many requests'));
    await expect(check(OWNER)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(timingSafeEqual).not.toHaveBeenCalled();
  });

  it.each([undefined, 7, [OWNER], `${' '.repeat(1_000)}${OWNER}`])('does no work on %j', async (given) => {
    await expect(check(given)).rejects.toMatchObject({ code: 'invalid' });
    expect(timingSafeEqual).not.toHaveBeenCalled();
  });
});
