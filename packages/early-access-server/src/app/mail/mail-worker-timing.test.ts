import { signupOf } from '@early-access-kit/testkit/records';
import { StorageError } from 'early-access-kit/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mailHarness } from '../../fixtures/mail-harness.ts';
import type { DeliveryResult } from '../../mail/transport.ts';
import type { Log } from '../log.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'ETIMEDOUT' };
const NEVER = new Promise<DeliveryResult>(() => {});

// Nothing happens by the passing of time unless a test lets it pass.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Runs whatever needs no time, disk included. */
async function comeToRest(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await comeToRest();
  return settled;
}

describe('the mail worker', () => {
  it('uses all lanes again as soon as a probe has succeeded', async () => {
    const answers = [Promise.resolve(LOST), Promise.resolve(SENT)];
    const { store, worker, delivered, pass } = mailHarness(() => answers.shift() ?? NEVER);
    await store.createSignup(signupOf());
    worker.wake();
    await comeToRest();
    for (let n = 0; n < 5; n += 1) await store.createSignup(signupOf());
    pass(60_000);
    await comeToRest();
    // The lost one, the probe, and one in each lane.
    expect(delivered).toHaveLength(1 + 1 + 4);
  });

  it('logs a failing database at once, and once', async () => {
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
    await comeToRest();
    expect([tries, log]).toEqual([1, ['mail-sent', 'mail-queue-failed']]);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await comeToRest();
      expect([tries, log]).toEqual([attempt, ['mail-sent', 'mail-queue-failed']]);
    }
  });

  it.each([
    [5_000, 1_000],
    [100, 100],
  ])('is closed %i ms after it began to, and the %i ms that a cut off delivery gets', async (withinMs, cutOffMs) => {
    const { store, worker, delivered } = mailHarness(() => NEVER);
    await store.createSignup(signupOf());
    worker.wake();
    await comeToRest();
    expect(delivered).toHaveLength(1);
    const closed = worker.stop(withinMs);
    vi.advanceTimersByTime(withinMs);
    await comeToRest();
    vi.advanceTimersByTime(cutOffMs - 1);
    expect(await isSettled(closed)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await isSettled(closed)).toBe(true);
  });

  it('waits for the next hour once the quota is spent, logs it once, and goes on', async () => {
    const log: string[] = [];
    const note: Log = (_, event) => log.push(event);
    const { store, worker, delivered, clock, pass } = mailHarness(async () => SENT, { log: note });
    for (let n = 0; n < 201; n += 1) void store.createSignup(signupOf());
    await comeToRest();
    worker.wake();
    while (delivered.length < 200) await comeToRest();
    await comeToRest();
    pass(1);
    await comeToRest();
    expect(delivered).toHaveLength(200);
    expect(log.filter((event) => event !== 'mail-sent')).toEqual(['mail-quota-spent']);
    pass(3_600_000 - (clock.now % 3_600_000));
    await comeToRest();
    expect(delivered).toHaveLength(201);
  });
});
