import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { LEASE_MS, mailHarness, until } from '../../fixtures/mail-harness.ts';
import type { DeliveryResult } from '../../mail/transport.ts';
import { MAX_ATTEMPTS, retryDelay } from './message.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const BUSY: DeliveryResult = { outcome: 'refused', permanent: false, reason: '451' };

describe('startMailWorker', () => {
  it('sends what was queued before it started and what comes later, each once', async () => {
    const { store, worker, delivered, count } = mailHarness(async () => SENT);
    const signups = Array.from({ length: 30 }, () => signupOf());
    for (const signup of signups) await store.createSignup(signup);
    worker.wake();
    await until(() => expect(count('sent')).toBe(30));
    expect([...delivered].sort()).toEqual(signups.map(({ email }) => email).sort());
  });

  it('has marked a mail on the disk when it hands it over', async () => {
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

  it('has only a few on their way at a time', async () => {
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

  it('tries again after a refusal, later each time, until it is taken', async () => {
    const answers = [BUSY, BUSY, BUSY];
    const { store, worker, delivered, count, pass } = mailHarness(async () => answers.shift() ?? SENT);
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

  it('gives up at once what is refused for good, or cannot be composed', async () => {
    const refused = mailHarness(async () => ({ outcome: 'refused', permanent: true, reason: '550' }));
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
    ['the answer was lost', async (): Promise<DeliveryResult> => ({ outcome: 'unknown', reason: 'connection lost' })],
    ['the transport throws', () => Promise.reject(new Error('a defect'))],
  ])('never sends again by itself when %s', async (_, deliver) => {
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

  it('shows as unknown what another process left behind, and does not send it', async () => {
    const { store, count, delivered, pass } = mailHarness(async () => SENT);
    const email = 'left@example.org';
    const answer = store.createSignup(signupOf({ email }));
    // Claimed in the same commit as the sign-up, as by a process that ends right after.
    const claim = store.mails.due().claimNext();
    expect([await answer, await claim]).toMatchObject(['created', { email }]);
    pass(LEASE_MS);
    await new Promise(setImmediate);
    expect(count('sending')).toBe(1);
    pass(1);
    await until(() => expect(count('unknown')).toBe(1));
    expect(delivered).toEqual([]);
  });

  it('rests after refusals instead of hammering a server that is down', async () => {
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

  it('waits for what is on its way when it is closed, and takes nothing more', async () => {
    const handedOver = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<DeliveryResult>();
    const { store, worker, delivered, count } = mailHarness(() => {
      handedOver.resolve();
      return answer.promise;
    });
    await store.createSignup(signupOf());
    worker.wake();
    await handedOver.promise;
    const closed = worker.stop(60_000);
    await store.createSignup(signupOf());
    worker.wake();
    answer.resolve(SENT);
    await closed;
    expect([count('sent'), count('queued'), delivered.length]).toEqual([1, 1, 1]);
  });

  it('does not wait for ever when it is closed', async () => {
    const { store, worker, delivered, count } = mailHarness(() => new Promise(() => {}));
    await store.createSignup(signupOf());
    worker.wake();
    await until(() => expect(delivered).toHaveLength(1));
    await worker.stop(1);
    expect(count('sending')).toBe(1);
  });
});
