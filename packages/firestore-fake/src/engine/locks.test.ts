import { expect, test } from 'vitest';
import { Locks } from './locks.ts';

const LONG = 60_000;
const [one, two, three] = [Symbol('one'), Symbol('two'), Symbol('three')];

/** Whether the promise is settled after all pending callbacks have run. */
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

test('a path is held by one owner, and handed on in the order of asking', async () => {
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

test('whoever would close a circle is aborted, and the other goes on', async () => {
  const locks = new Locks(LONG);
  await locks.acquire(one, 'a/1');
  await locks.acquire(two, 'a/2');
  const waiting = locks.acquire(one, 'a/2');
  await expect(locks.acquire(two, 'a/1')).rejects.toMatchObject({ status: 'ABORTED' });
  locks.release(two);
  await waiting;
});

test('a circle of three is found too', async () => {
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

test('a lock that nobody gives back is waited for only so long', async () => {
  const locks = new Locks(1);
  await locks.acquire(one, 'a/1');
  await expect(locks.acquire(two, 'a/1')).rejects.toMatchObject({ status: 'ABORTED' });
  locks.release(one);
  await locks.acquire(two, 'a/1');
});

test('who waits twice for one path gets it once', async () => {
  const locks = new Locks(LONG);
  await locks.acquire(one, 'a/1');
  const waits = [locks.acquire(two, 'a/1'), locks.acquire(two, 'a/1')];
  locks.release(one);
  await Promise.all(waits);
  locks.release(two);
  await locks.acquire(three, 'a/1');
});
