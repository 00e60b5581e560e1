import { expect, test } from 'vitest';
import { Locks } from './locks.ts';

const LONG = 60_000;
const [one, two, three] = [Symbol('one'), Symbol('two'), Symbol('three')];

/** Runs all pending callbacks, then returns whether the promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('a path has one owner at a time, and requests are granted in order', async () => {
  const locks = new Locks(LONG);
  await locks.acquire(one, 'a/1');
  await locks.acquire(one, 'a/1');
  const second = locks.acquire(two, 'a/1');
  const third = locks.acquire(three, 'a/1');
  expect([await isSettled(second), await isSettled(third)]).toEqual([false, false]);
  locks.release(one);
  await second;
  expect(await isSettled(third)).toBe(false);
  locks.release(two);
  await third;
});

test('a request that would cause a deadlock is aborted, and the other owner continues', async () => {
  const locks = new Locks(LONG);
  await locks.acquire(one, 'a/1');
  await locks.acquire(two, 'a/2');
  const waiting = locks.acquire(one, 'a/2');
  await expect(locks.acquire(two, 'a/1')).rejects.toMatchObject({ status: 'ABORTED' });
  locks.release(two);
  await waiting;
});

test('a deadlock of three is detected', async () => {
  const locks = new Locks(LONG);
  await locks.acquire(one, 'a/1');
  await locks.acquire(two, 'a/2');
  await locks.acquire(three, 'a/3');
  const first = locks.acquire(one, 'a/2');
  const second = locks.acquire(two, 'a/3');
  await expect(locks.acquire(three, 'a/1')).rejects.toMatchObject({ status: 'ABORTED' });
  locks.release(three);
  await second;
  locks.release(two);
  await first;
});

test('a request for a lock that is never released times out', async () => {
  const locks = new Locks(1);
  await locks.acquire(one, 'a/1');
  await expect(locks.acquire(two, 'a/1')).rejects.toMatchObject({ status: 'ABORTED' });
  locks.release(one);
  await locks.acquire(two, 'a/1');
});

test('two requests of one owner for a path are granted together', async () => {
  const locks = new Locks(LONG);
  await locks.acquire(one, 'a/1');
  const waits = [locks.acquire(two, 'a/1'), locks.acquire(two, 'a/1')];
  locks.release(one);
  await Promise.all(waits);
  locks.release(two);
  await locks.acquire(three, 'a/1');
});
