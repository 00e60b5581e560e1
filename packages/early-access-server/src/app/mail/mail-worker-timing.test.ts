import { signupOf } from '@early-access-kit/testkit/records';
import { StorageError } from 'early-access-kit/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailHarness, runPendingWork } from '../../fixtures/mail-harness.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';
import type { Claim } from '../ports/store.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'ETIMEDOUT' };
const NEVER = new Promise<DeliveryResult>(() => {});

// Timers only fire when a test advances the time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await runPendingWork();
  return settled;
}

describe('the mail worker', () => {
  it('uses all lanes again as soon as a probe has succeeded', async () => {
    const results = [Promise.resolve(LOST), Promise.resolve(SENT)];
    const { store, worker, delivered, pass } = mailHarness(() => results.shift() ?? NEVER);
    await store.createSignup(signupOf());
    worker.wake();
    await runPendingWork();
    for (let n = 0; n < 5; n += 1) await store.createSignup(signupOf());
    pass(60_000);
    await runPendingWork();
    // The one with the lost response, the probe, and one per lane.
    expect(delivered).toHaveLength(1 + 1 + 4);
  });

  it('logs a failing database immediately and only once', async () => {
    const log: string[] = [];
    const note: Log = (_, event) => log.push(event);
    let tries = 0;
    const { store, worker } = mailHarness(async () => SENT, {
      log: note,
      queue: () => ({
        recordOutcome: async () => {
          tries += 1;
          throw new StorageError('unavailable', 'the database could not store it');
        },
      }),
    });
    await store.createSignup(signupOf());
    worker.wake();
    await runPendingWork();
    expect([tries, log]).toEqual([1, ['mail-sent', 'mail-queue-failed']]);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await runPendingWork();
      expect([tries, log]).toEqual([attempt, ['mail-sent', 'mail-queue-failed']]);
    }
  });

  it.each([
    [5_000, 1_000],
    [100, 100],
  ])('stops after %i ms, plus %i ms for the outcome of a delivery that was cut off', async (withinMs, cutOffMs) => {
    const { store, worker, delivered } = mailHarness(() => NEVER);
    await store.createSignup(signupOf());
    worker.wake();
    await runPendingWork();
    expect(delivered).toHaveLength(1);
    const stopped = worker.stop(withinMs);
    vi.advanceTimersByTime(withinMs);
    await runPendingWork();
    vi.advanceTimersByTime(cutOffMs - 1);
    expect(await isSettled(stopped)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await isSettled(stopped)).toBe(true);
  });

  it('waits for the next hour if the quota is spent, and logs it once', async () => {
    const log: string[] = [];
    const note: Log = (_, event) => log.push(event);
    const { store, worker, delivered, clock, pass } = mailHarness(async () => SENT, { log: note });
    for (let n = 0; n < 201; n += 1) void store.createSignup(signupOf());
    await runPendingWork();
    worker.wake();
    while (delivered.length < 200) await runPendingWork();
    await runPendingWork();
    pass(1);
    await runPendingWork();
    expect(delivered).toHaveLength(200);
    expect(log.filter((event) => event !== 'mail-sent')).toEqual(['mail-quota-spent']);
    pass(3_600_000 - (clock.now % 3_600_000));
    await runPendingWork();
    expect(delivered).toHaveLength(201);
  });
});

describe('what a worker of four lanes reads', () => {
  /** A worker whose queue says when something is due and what can be claimed. */
  async function reading({ untilDue, untilQuota, claims = [] }: Readings) {
    const log = vi.fn();
    const findNextDue = vi.fn<() => Promise<number | null>>();
    const claimNext = vi.fn<() => Promise<Claim>>(async () => claims.shift() ?? 'quota-spent');
    const due = vi.fn(() => ({ claimNext }));
    const { clock, worker } = mailHarness(async () => SENT, {
      log,
      queue: () => ({
        findNextDue: findNextDue.mockImplementation(async () => at(clock.now, untilDue())),
        quotaSpentUntil: async () => at(clock.now, untilQuota?.() ?? null),
        expireLeases: async () => 0,
        due,
      }),
    });
    /** How often the queue was read after each of these times. */
    const looksAfter = async (...times: readonly number[]) => {
      const looks: number[] = [];
      for (const ms of times) {
        await vi.advanceTimersByTimeAsync(ms);
        await runPendingWork();
        looks.push(findNextDue.mock.calls.length);
      }
      return looks;
    };
    const events = () => log.mock.calls.map(([, event]) => event);
    return { worker, log, events, due, claimNext, looksAfter };
  }

  interface Readings {
    /** The milliseconds until a message is due; null if there is none. */
    readonly untilDue: () => number | null;
    readonly untilQuota?: () => number | null;
    readonly claims?: Claim[];
  }

  const at = (now: number, ms: number | null) => (ms === null ? null : now + ms);

  it.each([
    [null, 5_000],
    [60_000, 5_000],
    [2_000, 2_000],
  ])('is the queue, if something is due in %j ms again after %i', async (dueIn, ms) => {
    const { looksAfter, claimNext } = await reading({ untilDue: () => dueIn });
    expect(await looksAfter(0, ms - 1, 1)).toEqual([4, 4, 8]);
    expect(claimNext).not.toHaveBeenCalled();
  });

  it.each([
    [60_000, 5_000],
    [2_000, 2_000],
  ])('is the quota, if the next hour starts in %i ms again after %i', async (spentFor, ms) => {
    const { looksAfter, claimNext, events } = await reading({ untilDue: () => 0, untilQuota: () => spentFor });
    expect(await looksAfter(0, ms - 1, 1)).toEqual([4, 4, 8]);
    expect(claimNext).not.toHaveBeenCalled();
    expect(events()).toEqual(['mail-quota-spent']);
  });

  it('is a new list of what is due once the last one is at its end, and only then', async () => {
    const claims: Claim[] = ['taken', 'mailbox-full', 'nothing'];
    const { due, claimNext, looksAfter } = await reading({ untilDue: () => 0, claims });
    // A claim that says that the quota is spent lets a lane wait; any other lets it look again.
    expect(await looksAfter(0, 4_999)).toEqual([7, 7]);
    expect([claimNext.mock.calls.length, due.mock.calls.length]).toEqual([7, 2]);
  });

  it('is read again by the lane that has delivered something and finds no more, and by no other', async () => {
    const message: Claim = {
      id: '1',
      kind: 'welcome',
      email: 'ada@example.org',
      fields: {},
      language: null,
      tokens: { link: null, status: null, unsubscribe: null },
      campaign: null,
      notice: null,
      messageKey: 'key',
      attempts: 1,
      claimToken: 'token',
    };
    const waiting = [0];
    const { looksAfter, claimNext, events } = await reading({
      untilDue: () => waiting.shift() ?? null,
      claims: [message, message, 'nothing'],
    });
    expect(await looksAfter(0)).toEqual([5]);
    expect(claimNext).toHaveBeenCalledTimes(3);
    expect(events()).toEqual(['mail-sent', 'mail-sent']);
  });

  it('is logged as failing once, until it works again', async () => {
    let [isBroken, dueIn] = [true, 0];
    const { events, log, looksAfter } = await reading({
      untilDue() {
        if (isBroken) throw new Error('locked');
        return dueIn;
      },
    });
    expect(await looksAfter(0, 4_999, 1)).toEqual([4, 4, 8]);
    expect(log.mock.calls).toEqual([['error', 'mail-queue-failed', { reason: 'locked' }]]);
    isBroken = false;
    await looksAfter(5_000);
    expect(events()).toEqual(['mail-queue-failed', 'mail-queue-recovered']);
    dueIn = 1_000;
    await looksAfter(5_000);
    expect(events()).toHaveLength(2);
  });
});

describe('a worker that stops', () => {
  it('tries to record an outcome once more at most, and does not say that the queue works', async () => {
    const log: string[] = [];
    const recordOutcome = vi.fn(() => Promise.reject(new Error('disk full')));
    const { store, worker } = mailHarness(async () => SENT, {
      log: (_, event) => log.push(event),
      queue: () => ({ recordOutcome }),
    });
    await store.createSignup(signupOf());
    worker.wake();
    await runPendingWork();
    await worker.stop(60_000);
    expect(recordOutcome).toHaveBeenCalledTimes(2);
    expect(log).toEqual(['mail-sent', 'mail-queue-failed']);
  });

  it('has said what another process left behind', async () => {
    const log = vi.fn();
    const expired = [3];
    mailHarness(async () => SENT, { log, queue: () => ({ expireLeases: async () => expired.shift() ?? 0 }) });
    await runPendingWork();
    expect(log.mock.calls).toEqual([['warn', 'mail-unknown', { mails: 3, reason: 'the sending process ended' }]]);
  });
});
