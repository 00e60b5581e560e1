import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import { LEASE_MS, plainEmail } from '../../fixtures/mail-harness.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';
import type { MailQueue } from '../ports/store.ts';
import { mailService } from './mail-service.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const BUSY: DeliveryResult = { outcome: 'refused', refusal: 'later', reason: '451' };
const always = () => true;

/** A store with this number of signups, and a service on it with an adjustable clock and the test's transport. */
async function harness(
  signups: number,
  deliver: (to: string) => DeliveryResult | Promise<DeliveryResult> = () => SENT,
  replaced: (queue: MailQueue) => Partial<MailQueue> = () => ({}),
) {
  const clock = { now: 1_700_000_000_000 };
  const { store } = tempStore({ clock: () => clock.now, leaseMs: LEASE_MS });
  for (let turn = 0; turn < signups; turn += 1) await store.createSignup(signupOf());
  const delivered: string[] = [];
  const log = vi.fn();
  const service = mailService({
    queue: { ...store.mails, ...replaced(store.mails) },
    transport: {
      deliver: async ({ to }) => {
        delivered.push(to);
        return deliver(to);
      },
      close: async () => {},
    },
    compose: plainEmail,
    log,
    clock: () => clock.now,
  });
  const claim = () => store.mails.due().claimNext();
  return { clock, store, service, delivered, log, claim };
}

describe('mailService', () => {
  it('sends all that is due, at most four at a time', async () => {
    let [now, most] = [0, 0];
    const { service, delivered, log } = await harness(10, async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      return SENT;
    });
    await service.runDue(always);
    expect([new Set(delivered).size, delivered.length]).toEqual([10, 10]);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    expect(log).toHaveBeenCalledTimes(10);
    expect(log).toHaveBeenCalledWith('info', 'mail-sent', { message_key: expect.any(String), attempts: 1 });
  });

  it('starts nothing once it must end', async () => {
    const { service, delivered } = await harness(10);
    await service.runDue(() => delivered.length < 4);
    expect(delivered.length).toBeLessThan(8);
  });

  it('leaves the rest for the next run once the mail server has deferred eight in a row', async () => {
    const { service, delivered, log } = await harness(30, () => BUSY);
    await service.runDue(always);
    expect(delivered.length).toBeGreaterThanOrEqual(8);
    expect(delivered.length).toBeLessThan(12);
    expect(log).toHaveBeenCalledWith('warn', 'mail-queued', expect.objectContaining({ reason: '451', attempts: 1 }));
  });

  it('continues while one of a few is accepted', async () => {
    const { service, delivered } = await harness(30, () => (delivered.length % 4 === 0 ? SENT : BUSY));
    await service.runDue(always);
    expect(delivered).toHaveLength(30);
  });

  it('continues with the others when a message cannot be claimed', async () => {
    let isBroken = true;
    const { service, delivered, log } = await harness(
      3,
      () => SENT,
      (queue) => ({
        due() {
          const due = queue.due();
          return {
            claimNext() {
              if (!isBroken) return due.claimNext();
              isBroken = false;
              return Promise.reject(new Error('contention'));
            },
          };
        },
      }),
    );
    await service.runDue(always);
    expect(delivered).toHaveLength(3);
    expect(log).toHaveBeenCalledWith('error', 'mail-not-claimed', { reason: 'contention' });
  });

  it('ends when the store fails again and again', async () => {
    const claimNext = vi.fn(() => Promise.reject(new Error('disk I/O error')));
    const { service, log } = await harness(3, undefined, () => ({ due: () => ({ claimNext }) }));
    await service.runDue(() => claimNext.mock.calls.length < 100);
    expect(claimNext.mock.calls.length).toBeLessThan(12);
    expect(log).toHaveBeenCalledWith('error', 'mail-not-claimed', { reason: 'disk I/O error' });
  });

  it('ends when the quota of the hour is spent, and says so', async () => {
    const { service, log, delivered } = await harness(2, undefined, () => ({
      due: () => ({ claimNext: async () => 'quota-spent' }),
    }));
    await service.runDue(always);
    expect(delivered).toEqual([]);
    expect(log.mock.calls.every(([level, event]) => level === 'warn' && event === 'mail-quota-spent')).toBe(true);
  });

  it('does not take a full mailbox for a mail server that accepts something', async () => {
    const claims = Array.from({ length: 20 }, (_, index) => index);
    const { service, delivered } = await harness(
      30,
      () => BUSY,
      (queue) => ({
        due() {
          const due = queue.due();
          return { claimNext: async () => ((claims.pop() ?? 0) % 2 === 1 ? 'mailbox-full' : due.claimNext()) };
        },
      }),
    );
    await service.runDue(always);
    expect(delivered.length).toBeLessThan(12);
  });

  it('says what a process left behind, and does not send it', async () => {
    const { service, claim, clock, delivered, log } = await harness(1);
    await claim();
    clock.now += LEASE_MS + 1;
    await service.runDue(always);
    expect(delivered).toEqual([]);
    expect(log).toHaveBeenCalledExactlyOnceWith('warn', 'mail-unknown', {
      mails: 1,
      reason: 'the sending process ended',
    });
  });

  it('returns what came of one message, or why there was none', async () => {
    const { service, claim, log, delivered } = await harness(1);
    expect(await service.deliver(await claim())).toBe('sent');
    expect(await service.deliver(await claim())).toBe('nothing');
    expect(log).toHaveBeenCalledOnce();
    expect(await service.deliver('taken')).toBe('taken');
    expect(log).toHaveBeenCalledOnce();
    expect(await service.deliver('mailbox-full')).toBe('mailbox-full');
    expect(log).toHaveBeenLastCalledWith('info', 'mail-postponed', {
      reason: 'its mailbox got 3 messages within a day',
    });
    expect(await service.deliver('paused')).toBe('paused');
    expect(log).toHaveBeenLastCalledWith('warn', 'mail-paused');
    expect(await service.deliver('quota-spent')).toBe('quota-spent');
    expect(log).toHaveBeenLastCalledWith('warn', 'mail-quota-spent');
    expect(delivered).toHaveLength(1);
  });

  it('says why a message could not be composed or handed over', async () => {
    const { claim, log, store } = await harness(2);
    const transport = { deliver: () => Promise.reject(new Error('a defect')), close: async () => {} };
    const service = mailService({ queue: store.mails, transport, compose: plainEmail, log });
    expect(await service.deliver(await claim())).toBe('unknown');
    expect(log).toHaveBeenLastCalledWith('warn', 'mail-unknown', {
      message_key: expect.any(String),
      attempts: 1,
      reason: 'the transport failed',
    });
    const compose = () => {
      throw new Error('no such field');
    };
    const broken = mailService({ queue: store.mails, transport, compose, log });
    expect(await broken.deliver(await claim())).toBe('failed');
    const reason = 'the message could not be composed';
    expect(log).toHaveBeenLastCalledWith('warn', 'mail-failed', expect.objectContaining({ reason }));
  });

  it('does not try again to record an outcome, and says so', async () => {
    const recordOutcome = vi.fn(() => Promise.reject(new Error('disk full')));
    const { service, claim, log } = await harness(1, undefined, () => ({ recordOutcome }));
    const message = await claim();
    expect(await service.deliver(message)).toBe('sent');
    expect(recordOutcome).toHaveBeenCalledOnce();
    expect(log).toHaveBeenLastCalledWith('error', 'mail-outcome-not-recorded', {
      message_key: typeof message === 'string' ? '' : message.messageKey,
      reason: 'disk full',
    });
  });
});
