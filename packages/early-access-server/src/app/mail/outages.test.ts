import { signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS, HOUR_MS, MINUTE_MS, StorageError } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { type MailHarness, mailHarness, until } from '../../fixtures/mail-harness.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const DOWN: DeliveryResult = { outcome: 'refused', refusal: 'unreachable', reason: 'ECONNECTION ECONNREFUSED' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'ETIMEDOUT' };
const STEP_MS = 5 * MINUTE_MS;

interface MailServer {
  result: DeliveryResult;
}

/** Advances the clock in steps and waits after each until the worker is idle. */
async function passInSteps(harness: MailHarness, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    harness.pass(STEP_MS);
    await untilIdle(harness);
  }
}

/**
 * Waits until no message is being sent. Checks again after each delivery, because the count is also 0 between two of
 * them.
 */
async function untilIdle({ count, delivered }: MailHarness): Promise<void> {
  let before: number;
  do {
    before = delivered.length;
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    await until(() => expect(count('sending')).toBe(0));
  } while (delivered.length > before);
}

async function signUp({ store, worker }: MailHarness, people: number): Promise<string[]> {
  const signups = Array.from({ length: people }, () => signupOf());
  await Promise.all(signups.map((signup) => store.createSignup(signup)));
  worker.wake();
  return signups.map(({ email }) => email);
}

describe('a mail server that is down for a day', () => {
  it('is tried now and then, and receives every message of that day once when it is back', async () => {
    const server: MailServer = { result: DOWN };
    const harness = mailHarness(async () => server.result);
    const people = await signUp(harness, 20);
    await passInSteps(harness, DAY_MS / 2);
    people.push(...(await signUp(harness, 20)));
    await passInSteps(harness, DAY_MS / 2);
    const attempts = harness.delivered.length;
    expect(attempts).toBeGreaterThan(100);
    expect(attempts).toBeLessThan(2 * 24 * 60);
    expect(harness.count('queued')).toBe(people.length);

    server.result = SENT;
    people.push(...(await signUp(harness, 1)));
    await passInSteps(harness, 2 * HOUR_MS);
    await until(() => expect(harness.count('sent')).toBe(people.length));
    expect(harness.delivered.slice(attempts).sort()).toEqual([...people].sort());
  });
});

describe('a mail server that accepts messages and never responds', () => {
  it('loses few messages in a day, and receives all others once when it works again', async () => {
    const server: MailServer = { result: LOST };
    const harness = mailHarness(async () => server.result);
    const people = await signUp(harness, 200);
    await passInSteps(harness, DAY_MS);
    const lost = harness.count('unknown');
    expect(lost).toBeGreaterThan(10);
    expect(lost).toBeLessThan(40);
    expect(harness.count('queued')).toBe(people.length - lost);

    server.result = SENT;
    await passInSteps(harness, HOUR_MS);
    await until(() => expect(harness.count('sent')).toBe(people.length - lost));
    expect(new Set(harness.delivered).size).toBe(harness.delivered.length);
  });
});

it.each([
  ['refused', DOWN, 'queued'],
  ['sent', SENT, 'sent'],
] as const)(
  'a database that cannot record an outcome is retried until it succeeds: a %s message does not become unknown',
  async (_, result, state) => {
    const disk = { isFull: true };
    const log: string[] = [];
    const note: Log = (level, event, fields) => log.push(`${level} ${event} ${fields?.reason ?? ''}`.trim());
    const harness = mailHarness(async () => result, {
      log: note,
      queue: ({ recordOutcome }) => ({
        recordOutcome: async (message, outcome) => {
          if (disk.isFull) throw new StorageError('unavailable', 'the database could not store it');
          await recordOutcome(message, outcome);
        },
      }),
    });
    await signUp(harness, 1);
    await until(() => expect(log.at(-1)).toContain('mail-queue-failed'));
    harness.pass(1);
    harness.pass(1);
    expect(harness.count('sending')).toBe(1);
    disk.isFull = false;
    harness.worker.wake();
    await until(() => expect(harness.count(state)).toBe(1));
    expect(harness.delivered).toHaveLength(1);
    // Logged once, however often it was retried.
    expect(log.slice(1)).toEqual([
      'error mail-queue-failed early-access-kit: the database could not store it',
      'info mail-queue-recovered',
    ]);
  },
);
