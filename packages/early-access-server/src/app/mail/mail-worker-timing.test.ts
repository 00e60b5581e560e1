import { signupOf } from '@early-access-kit/testkit/records';
import { StorageError } from 'early-access-kit/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailHarness, runPendingWork } from '../../fixtures/mail-harness.ts';
import type { DeliveryResult } from '../../mail/transport.ts';
import type { Log } from '../log.ts';

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
