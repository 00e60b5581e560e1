import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { background, pause, within } from './background.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('background', () => {
  it('begins work in a later turn, logs a failure, and has settled once nothing is in progress', async () => {
    const log = vi.fn();
    const work = vi.fn(() => Promise.reject(new Error('disk full')));
    const { run, settled } = background(log);
    run('mail-failed', work);
    expect(work).not.toHaveBeenCalled();
    await settled(60_000);
    expect(work).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledExactlyOnceWith('error', 'mail-failed', { reason: 'disk full' });
    await settled(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins work after its delay, or at once if the process ends before', async () => {
    const work = vi.fn(async () => {});
    const { run, settled } = background(vi.fn());
    run('mail-failed', work, 1_000);
    await later(999);
    expect(work).not.toHaveBeenCalled();
    await later(1);
    expect(work).toHaveBeenCalledOnce();
    run('mail-failed', work, 1_000);
    await settled(0);
    expect(work).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('within waits for the work, but not longer', async () => {
  await within(1_000, Promise.resolve());
  expect(vi.getTimerCount()).toBe(0);
  const end = vi.fn();
  void within(1_000, new Promise(() => {})).then(end);
  await later(999);
  expect(end).not.toHaveBeenCalled();
  await later(1);
  expect(end).toHaveBeenCalledOnce();
});

it('pause resolves after its milliseconds', async () => {
  const end = vi.fn();
  void pause(1_000).then(end);
  await later(999);
  expect(end).not.toHaveBeenCalled();
  await later(1);
  expect(end).toHaveBeenCalledOnce();
});
