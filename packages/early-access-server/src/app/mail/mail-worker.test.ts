import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { LEASE_MS, mailHarness, until } from '../../fixtures/mail-harness.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';
import { MAX_ATTEMPTS, retryDelay } from './message-state.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const BUSY: DeliveryResult = { outcome: 'refused', refusal: 'later', reason: '451' };

describe('startMailWorker', () => {
  it('sends each queued message once', async () => {
    const { store, worker, delivered, count } = mailHarness(async () => SENT);
    const signups = Array.from({ length: 30 }, () => signupOf());
    for (const signup of signups) await store.createSignup(signup);
    worker.wake();
    await until(() => expect(count('sent')).toBe(30));
    expect([...delivered].sort()).toEqual(signups.map(({ email }) => email).sort());
  });

  it('stores a message as `sending` before delivering it', async () => {
    const states: number[] = [];
    const harness = mailHarness(async () => {
      states.push(harness.count('sending'));
      return SENT;
    });
    await harness.store.createSignup(signupOf());
    harness.worker.wake();
    await until(() => expect(harness.count('sent')).toBe(1));
    expect(states).toEqual([1]);
  });

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

  it('retries a deferred message with growing delays until it is sent', async () => {
    const results = [BUSY, BUSY, BUSY];
    const { store, worker, delivered, count, pass } = mailHarness(async () => results.shift() ?? SENT);
    await store.createSignup(signupOf());
    worker.wake();
    for (const attempts of [1, 2, 3]) {
      await until(() => expect([delivered.length, count('queued')]).toEqual([attempts, 1]));
      pass(retryDelay(attempts) - 1);
      await new Promise(setImmediate);
      expect(delivered).toHaveLength(attempts);
      pass(1);
      await until(() => expect(delivered).toHaveLength(attempts + 1));
    }
    await until(() => expect(count('sent')).toBe(1));
  });

  it('gives up after the last attempt', async () => {
    const { store, worker, delivered, count, pass } = mailHarness(async () => BUSY);
    await store.createSignup(signupOf());
    worker.wake();
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) {
      await until(() => expect([delivered.length, count('queued')]).toEqual([attempts, 1]));
      pass(retryDelay(attempts));
    }
    await until(() => expect(count('failed')).toBe(1));
    pass(LEASE_MS * 10_000);
    await new Promise(setImmediate);
    expect(delivered).toHaveLength(MAX_ATTEMPTS);
  });

  it('fails a message at once if it is permanently refused or cannot be composed', async () => {
    const refused = mailHarness(async () => ({ outcome: 'refused', refusal: 'content', reason: '550' }));
    await refused.store.createSignup(signupOf());
    refused.worker.wake();
    await until(() => expect(refused.count('failed')).toBe(1));

    const broken = mailHarness(async () => SENT, {
      compose: () => {
        throw new Error('no');
      },
    });
    await broken.store.createSignup(signupOf());
    broken.worker.wake();
    await until(() => expect(broken.count('failed')).toBe(1));
    expect(broken.delivered).toEqual([]);
  });

  it.each([
    ['the response was lost', async (): Promise<DeliveryResult> => ({ outcome: 'unknown', reason: 'connection lost' })],
    ['the transport throws', () => Promise.reject(new Error('a defect'))],
  ])('never retries if %s', async (_, deliver) => {
    const { store, worker, delivered, count, pass } = mailHarness(deliver);
    const signup = signupOf();
    await store.createSignup(signup);
    worker.wake();
    await until(() => expect(count('unknown')).toBe(1));
    await store.createSignup(signup);
    pass(LEASE_MS * 10_000);
    await new Promise(setImmediate);
    expect(delivered).toHaveLength(1);
  });

  it('marks a message that another process left `sending` as `unknown` and does not send it', async () => {
    const { store, count, delivered, pass } = mailHarness(async () => SENT);
    const email = 'left@example.org';
    const created = store.createSignup(signupOf({ email }));
    // Claimed in the same commit as the signup, as if by a process that crashes right after.
    const claim = store.mails.due().claimNext();
    expect([await created, await claim]).toMatchObject(['created', { email }]);
    pass(LEASE_MS);
    await new Promise(setImmediate);
    expect(count('sending')).toBe(1);
    pass(1);
    await until(() => expect(count('unknown')).toBe(1));
    expect(delivered).toEqual([]);
  });

  it('pauses after deferred messages', async () => {
    const { store, worker, delivered, pass } = mailHarness(async () => BUSY);
    await Promise.all(Array.from({ length: 20 }, () => store.createSignup(signupOf())));
    worker.wake();
    await until(() => expect(delivered).toHaveLength(4));
    worker.wake();
    await new Promise(setImmediate);
    expect(delivered).toHaveLength(4);
    pass(60_000);
    await until(() => expect(delivered.length).toBeGreaterThan(4));
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

  it('stops after the timeout even if a delivery hangs', async () => {
    const { store, worker, delivered, count } = mailHarness(() => new Promise(() => {}));
    await store.createSignup(signupOf());
    worker.wake();
    await until(() => expect(delivered).toHaveLength(1));
    await worker.stop(1);
    expect(count('sending')).toBe(1);
  });
});
