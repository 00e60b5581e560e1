import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { background, pause, within } from './background.ts';
import { openFor, repeatedJob } from './jobs.ts';
import { JOBS_LATE_MS, lateJobs } from './late-jobs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('repeatedJob', () => {
  it('runs at the start and so long after each turn, logs a failure, and ends when it is stopped', async () => {
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

it('openFor is true for so long, its end included', () => {
  let now = 500;
  const isOpen = openFor(1_000, () => now);
  expect(isOpen()).toBe(true);
  now = 1_500;
  expect(isOpen()).toBe(true);
  now = 1_501;
  expect(isOpen()).toBe(false);
});

describe('background', () => {
  it('begins work in a later turn, logs a failure, and has settled once nothing is in progress', async () => {
    const log = vi.fn();
    const work = vi.fn(() => Promise.reject(new Error('disk full')));
    const { run, settled } = background(log);
    run('mail-failed', work);
    expect(work).not.toHaveBeenCalled();
    const end = settled(60_000);
    await later(0);
    await end;
    expect(work).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledExactlyOnceWith('error', 'mail-failed', { reason: 'disk full' });
    await settled(60_000);
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

it('pause resolves after so long', async () => {
  const end = vi.fn();
  void pause(1_000).then(end);
  await later(999);
  expect(end).not.toHaveBeenCalled();
  await later(1);
  expect(end).toHaveBeenCalledOnce();
});

describe('lateJobs', () => {
  function harness() {
    const queue = { dueAt: null as number | null, spentUntil: null as number | null };
    const mails = { nextDueAt: vi.fn(async () => queue.dueAt), quotaSpentUntil: async () => queue.spentUntil };
    const [onLate, onError] = [vi.fn(), vi.fn()];
    const jobs = lateJobs({ mails, clock: Date.now, onLate, onError });
    return { queue, mails, onLate, onError, ...jobs };
  }

  it('are late once an email has been due for ten minutes, unless the quota is spent or they ran', async () => {
    const { queue, areLate, noteRun } = harness();
    expect(await areLate()).toBe(false);
    queue.dueAt = Date.now();
    await later(JOBS_LATE_MS - 1);
    expect(await areLate()).toBe(false);
    await later(1);
    expect(await areLate()).toBe(true);
    queue.spentUntil = Date.now() + 1;
    expect(await areLate()).toBe(false);
    queue.spentUntil = null;
    noteRun();
    await later(JOBS_LATE_MS - 1);
    expect(await areLate()).toBe(false);
    await later(1);
    expect(await areLate()).toBe(true);
  });

  it('are looked for ten minutes after there may be an email, once', async () => {
    const { queue, mails, onLate, expectRun } = harness();
    queue.dueAt = Date.now();
    expectRun();
    await later(1_000);
    expectRun();
    await later(JOBS_LATE_MS - 1_001);
    expect(mails.nextDueAt).not.toHaveBeenCalled();
    await later(1);
    expect(onLate).toHaveBeenCalledOnce();
    await later(JOBS_LATE_MS);
    expect(onLate).toHaveBeenCalledOnce();
    expectRun();
    await later(JOBS_LATE_MS);
    expect(onLate).toHaveBeenCalledTimes(2);
  });

  it('are not looked for once they ran or the process stops, and not reported if nothing is due', async () => {
    const { mails, onLate, expectRun, noteRun, stop } = harness();
    expectRun();
    noteRun();
    expect(vi.getTimerCount()).toBe(0);
    expectRun();
    stop();
    expect(vi.getTimerCount()).toBe(0);
    expectRun();
    await later(JOBS_LATE_MS);
    expect(mails.nextDueAt).toHaveBeenCalledOnce();
    expect(onLate).not.toHaveBeenCalled();
  });

  it('report a look that failed', async () => {
    const { mails, onError, expectRun } = harness();
    const error = new Error('locked');
    mails.nextDueAt.mockRejectedValueOnce(error);
    expectRun();
    await later(JOBS_LATE_MS);
    expect(onError).toHaveBeenCalledExactlyOnceWith(error);
  });
});
