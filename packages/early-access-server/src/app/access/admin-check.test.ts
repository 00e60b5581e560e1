import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { StorageError } from 'early-access-kit/core';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitWrongAdmins, parseAdmins, requireAdmin } from './admin-check.ts';

const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
syncBuiltinESMExports();
afterAll(() => {
  timingSafeEqual.mockRestore();
  syncBuiltinESMExports();
});

const ADMIN = 'admin@example.com';
const limiter = { take: vi.fn(async () => {}), giveBack: vi.fn(async () => {}) };
const check = (given: unknown, adminEmail: string | null = ADMIN) =>
  limitWrongAdmins(async (email) => requireAdmin(email, adminEmail), {
    given,
    limiter,
    client: [{ key: '192.0.2.1', factor: 1 }],
  });
const TAKEN = [
  [
    { limit: 'wrongAdmins', key: '192.0.2.1', factor: 1 },
    { limit: 'allWrongAdmins', key: 'all' },
  ],
];

beforeEach(() => {
  vi.clearAllMocks();
});

describe('requireAdmin within limitWrongAdmins', () => {
  it.each([ADMIN, ' ADMIN@Example.com '])('resolves for %j and gives the tokens back', async (given) => {
    await check(given);
    expect(limiter.take.mock.calls).toEqual([TAKEN]);
    expect(limiter.giveBack.mock.calls).toEqual([TAKEN]);
  });

  it.each([
    ['nothing', ''],
    ['its first letter', 'a'],
    ['all but its last letter', ADMIN.slice(0, -1)],
    ['more than it', `${ADMIN}m`],
    ['another first letter', 'bdmin@example.com'],
    ['a zero in it', `${ADMIN.slice(0, -1)}\u0000m`],
    ['a thousand letters', 'x'.repeat(1_000)],
  ])('rejects for %s after comparing two digests of equal length in constant time', async (_, given) => {
    await expect(check(given)).rejects.toMatchObject({ code: 'forbidden' });
    expect(timingSafeEqual).toHaveBeenCalledOnce();
    const [compared = []] = timingSafeEqual.mock.calls;
    expect(compared.map(({ byteLength }) => byteLength)).toEqual([32, 32]);
    expect(compared.map(String)).not.toContain(ADMIN);
    expect(limiter.giveBack).not.toHaveBeenCalled();
  });

  it('rejects for every address if none is configured', async () => {
    for (const given of ['', 'null', ADMIN])
      await expect(check(given, null)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('takes no empty address from a list that ends with a comma', async () => {
    await expect(check('', `${ADMIN}, ,`)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('this address may not read the analytics summary'),
    });
    expect([
      parseAdmins(' A@Example.com,b@example.com, ,a@example.com,'),
      parseAdmins(null),
      parseAdmins(['']),
    ]).toEqual([['a@example.com', 'b@example.com'], [], []]);
  });

  it.each([new StorageError('unavailable', 'the database does not respond'), new Error('a mistake')])(
    'gives the tokens back if reading fails for another reason: %s',
    async (error) => {
      const attempt = { given: ADMIN, limiter, client: [{ key: '192.0.2.1', factor: 1 }] };
      await expect(limitWrongAdmins(() => Promise.reject(error), attempt)).rejects.toBe(error);
      expect(limiter.giveBack.mock.calls).toEqual([TAKEN]);
    },
  );

  it('compares nothing without tokens', async () => {
    limiter.take.mockRejectedValueOnce(new StorageError('rate-limited', 'too many requests'));
    await expect(check(ADMIN)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(timingSafeEqual).not.toHaveBeenCalled();
  });

  it.each([undefined, 7, [ADMIN], `${' '.repeat(1_000)}${ADMIN}`])('does no work on %j', async (given) => {
    await expect(check(given)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('at most 1000 characters'),
    });
    expect(timingSafeEqual).not.toHaveBeenCalled();
  });
});
