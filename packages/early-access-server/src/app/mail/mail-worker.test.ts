import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { mailHarness, until } from '../../fixtures/mail-harness.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';

const SENT: DeliveryResult = { outcome: 'sent' };

describe('startMailWorker', () => {
  it('delivers at most four messages at a time', async () => {
    let [now, most] = [0, 0];
    const { store, worker, count } = mailHarness(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      return SENT;
    });
    await Promise.all(Array.from({ length: 20 }, () => store.createSignup(signupOf())));
    worker.wake();
    await until(() => expect(count('sent')).toBe(20));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('finishes deliveries in progress when stopped, and starts no more', async () => {
    const delivering = Promise.withResolvers<void>();
    const result = Promise.withResolvers<DeliveryResult>();
    const { store, worker, delivered, count } = mailHarness(() => {
      delivering.resolve();
      return result.promise;
    });
    await store.createSignup(signupOf());
    worker.wake();
    await delivering.promise;
    const stopped = worker.stop(60_000);
    await store.createSignup(signupOf());
    worker.wake();
    result.resolve(SENT);
    await stopped;
    expect([count('sent'), count('queued'), delivered.length]).toEqual([1, 1, 1]);
  });
});
