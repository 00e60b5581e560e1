import { StorageError } from 'early-access-kit/core';
import { expect, it } from 'vitest';
import { countingLimiter } from './limits-hit.ts';

it('counts refusals by the first limit of the call, and no other errors', async () => {
  const errors = [
    new StorageError('rate-limited', 'too many requests'),
    new StorageError('unavailable', 'the database does not respond'),
    new Error('a mistake'),
    new StorageError('rate-limited', 'too many requests'),
  ];
  const hits = new Map<string, number>();
  const uses = ['signups', 'allSignups'].map((limit) => ({ limit, key: 'a' }));
  for (const error of errors) {
    const refusing = { take: () => Promise.reject(error), giveBack: async () => {} };
    await expect(countingLimiter(refusing, hits).take(uses)).rejects.toBe(error);
  }
  expect([...hits]).toEqual([['signups', 2]]);
});
