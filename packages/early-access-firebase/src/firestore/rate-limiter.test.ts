import { rateLimiterContract, rateLimiterHarness } from 'early-access-server/fixtures';
import { expect, it, onTestFinished, vi } from 'vitest';
import { firestoreOfFile } from '../fixtures/firestore.ts';
import { ABORTED, ALREADY_EXISTS } from './database.ts';
import { firestoreRateLimiter } from './rate-limiter.ts';

const database = await firestoreOfFile(0);

const create: Parameters<typeof rateLimiterContract>[1] = (rateLimits, clock) =>
  firestoreRateLimiter(database.firestore, rateLimits, clock);

rateLimiterContract('firestoreRateLimiter', create);

it('stores no address of a caller, and each bucket until it is full again', async () => {
  const { take, clock } = rateLimiterHarness(create);
  await take('192.0.2.1');
  const { docs } = await database.firestore.collection('throttles').get();
  expect(docs.map((document) => document.data())).toEqual([
    { tokens: 2, at: clock.now, expires_at: expect.objectContaining({ seconds: clock.now / 1_000 + 10 }) },
  ]);
  expect(JSON.stringify(await database.list('throttles'))).not.toContain('192.0.2.1');
});

it('splits a bucket for many calls into documents, which together allow exactly its limit', async () => {
  const clock = { now: 1_000_000 };
  const limits = { calls: { burst: 240, perMinute: 120 } };
  const limiter = firestoreRateLimiter(database.firestore, limits, () => clock.now);
  const use = () => ({ limit: 'calls', key: 'all', cost: 20 }) as const;
  const uses = Array.from({ length: 12 }, use);
  for (const one of uses) await limiter.take([one]);
  expect(await database.list('throttles')).toHaveLength(4);
  await expect(limiter.take([use()])).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 40 });
  await limiter.giveBack(uses.slice(0, 1));
  await limiter.take([use()]);
  await expect(limiter.take([use()])).rejects.toMatchObject({ code: 'rate-limited' });
  clock.now += 120_000;
  for (const one of uses) await limiter.take([one]);
});

it('takes from one document of each bucket, unless it has too few tokens', async () => {
  const limiter = firestoreRateLimiter(database.firestore, { calls: { burst: 240, perMinute: 120 } }, () => 1_000_000);
  expect(await database.countReads(() => limiter.take([{ limit: 'calls', key: 'all' }]))).toBe(1);
});

it('rejects calls that conflict too often, and ignores no other failure', async () => {
  const { take } = rateLimiterHarness(create);
  const failing = (code: number) => {
    const failure = Object.assign(new Error('no'), { code });
    vi.spyOn(database.firestore, 'runTransaction').mockRejectedValueOnce(failure);
    return take('a');
  };
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await failing(ABORTED)).toBe(1);
  await expect(failing(ALREADY_EXISTS)).rejects.toMatchObject({ code: 'unavailable' });
});
