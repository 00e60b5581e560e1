import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { wakeSignal } from './wake-signal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Runs all timers that are due, then returns whether the promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

it('does not lose a wake between looking for work and waiting', async () => {
  const work = wakeSignal();
  const seen = work.count;
  work.wake();
  expect(await isSettled(work.wait(seen, 60_000))).toBe(true);
});

it('wakes all waiters', async () => {
  const work = wakeSignal();
  const waiting = [work.wait(work.count, 60_000), work.wait(work.count, 60_000)];
  expect(await isSettled(Promise.race(waiting))).toBe(false);
  work.wake();
  expect(await isSettled(Promise.all(waiting))).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('ends a wait after its timeout', async () => {
  const work = wakeSignal();
  const wait = work.wait(work.count, 60_000);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(await isSettled(wait)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isSettled(wait)).toBe(true);
});
