import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { mailHarness } from '../../fixtures/mail-harness.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';

const SENT: DeliveryResult = { outcome: 'sent' };

it('startMailWorker finishes deliveries in progress when stopped, and starts no more', async () => {
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
