import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MailPause } from '../mail/mail-pause.ts';
import { JOBS_LATE_MS, lateJobs } from './late-jobs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const DENIED = { refusals: 1, since: 0, until: 1, probe: null, reason: '535', suspects: [], outage: null };

describe('lateJobs', () => {
  function harness() {
    const queue = { dueAt: null as number | null, spentUntil: null as number | null, pause: null as MailPause | null };
    const mails = {
      pause: async () => queue.pause,
      findNextDue: vi.fn(async () => queue.dueAt),
      quotaSpentUntil: async () => queue.spentUntil,
    };
    const [onLate, onError] = [vi.fn(), vi.fn()];
    const jobs = lateJobs({ mails, clock: Date.now, onLate, onError });
    return { queue, mails, onLate, onError, ...jobs };
  }

  it('are late once an email has been due for ten minutes, unless the quota is spent, emails are paused or they ran', async () => {
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
    queue.pause = DENIED;
    expect(await areLate()).toBe(false);
    queue.pause = null;
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
    expect(mails.findNextDue).not.toHaveBeenCalled();
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
    expect(mails.findNextDue).toHaveBeenCalledOnce();
    expect(onLate).not.toHaveBeenCalled();
  });

  it('report a look that failed', async () => {
    const { mails, onError, expectRun } = harness();
    const error = new Error('locked');
    mails.findNextDue.mockRejectedValueOnce(error);
    expectRun();
    await later(JOBS_LATE_MS);
    expect(onError).toHaveBeenCalledExactlyOnceWith(error);
  });
});
