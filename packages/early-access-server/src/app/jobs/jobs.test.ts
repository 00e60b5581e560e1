import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTimeLimit, repeatedJob, runEach } from './jobs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('repeatedJob', () => {
  it('runs at the start and again after each turn, logs a failure, and ends when it is stopped', async () => {
    const log = vi.fn();
    const run = vi.fn(async (_mayBegin: () => boolean) => {});
    run.mockRejectedValueOnce(new Error('disk full'));
    const job = repeatedJob({ everyMs: 1_000, log, failure: 'work-failed', run }).start();
    await later(0);
    expect(log).toHaveBeenCalledExactlyOnceWith('error', 'work-failed', { reason: 'disk full' });
    await later(999);
    expect(run).toHaveBeenCalledTimes(1);
    await later(1);
    expect(run).toHaveBeenCalledTimes(2);
    await later(999);
    expect(run).toHaveBeenCalledTimes(2);
    const [mayBegin] = run.mock.lastCall ?? [];
    expect(mayBegin?.()).toBe(true);
    await job.stop(0);
    expect(mayBegin?.()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin again after a turn during which it was stopped', async () => {
    const work = Promise.withResolvers<void>();
    const job = repeatedJob({ everyMs: 1_000, log: vi.fn(), failure: 'work-failed', run: () => work.promise }).start();
    await job.stop(0);
    work.resolve();
    await later(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('repeatedJob looks at once if it is asked, also while it is at work, and not before its start or after its end', async () => {
  const work = Promise.withResolvers<void>();
  const run = vi.fn(async () => {});
  const repeated = repeatedJob({ everyMs: 1_000, log: vi.fn(), failure: 'work-failed', run });
  repeated.look();
  expect(run).not.toHaveBeenCalled();
  run.mockReturnValueOnce(work.promise);
  const job = repeated.start();
  repeated.look();
  expect(run).toHaveBeenCalledTimes(1);
  work.resolve();
  await later(0);
  expect(run).toHaveBeenCalledTimes(2);
  repeated.look();
  await later(0);
  expect(run).toHaveBeenCalledTimes(3);
  await later(999);
  expect(run).toHaveBeenCalledTimes(3);
  await job.stop(0);
  repeated.look();
  await later(2_000);
  expect(run).toHaveBeenCalledTimes(3);
});

it('createTimeLimit returns true until the time has passed, its end included', () => {
  let now = 500;
  const isOpen = createTimeLimit(1_000, () => now);
  expect(isOpen()).toBe(true);
  now = 1_500;
  expect(isOpen()).toBe(true);
  now = 1_501;
  expect(isOpen()).toBe(false);
});

describe('runEach', () => {
  const run = (...failures: readonly (Error | null)[]) => {
    const works = failures.map((failure) => vi.fn(() => (failure ? Promise.reject(failure) : Promise.resolve())));
    return { works, end: runEach(works) };
  };
  const [full, locked] = [new Error('disk full'), new Error('locked')];

  it('runs all, and resolves if none fails', async () => {
    const { works, end } = run(null, null);
    await expect(end).resolves.toBeUndefined();
    for (const work of works) expect(work).toHaveBeenCalledOnce();
  });

  it('runs those after a failure, and rejects with it', async () => {
    const { works, end } = run(full, null);
    await expect(end).rejects.toBe(full);
    expect(works[1]).toHaveBeenCalledOnce();
  });

  it('describes each kind of failure once', async () => {
    const { end } = run(full, locked, full);
    await expect(end).rejects.toMatchObject({ message: 'disk full; locked', errors: [full, locked, full] });
  });
});
