import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bell } from './bell.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a promise has settled once all that is due now has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
}

it('does not lose a ring between looking and waiting', async () => {
  const work = bell();
  const seen = work.rings;
  work.ring();
  expect(await isSettled(work.wait(seen, 60_000))).toBe(true);
});

it('wakes everyone who waits, and no one without a ring', async () => {
  const work = bell();
  const waiting = [work.wait(work.rings, 60_000), work.wait(work.rings, 60_000)];
  expect(await isSettled(Promise.race(waiting))).toBe(false);
  work.ring();
  expect(await isSettled(Promise.all(waiting))).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('ends a wait after its time', async () => {
  const work = bell();
  const wait = work.wait(work.rings, 60_000);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(await isSettled(wait)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isSettled(wait)).toBe(true);
});
