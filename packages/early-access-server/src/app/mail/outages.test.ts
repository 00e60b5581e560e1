import { signupOf } from '@early-access-kit/testkit/records';
import { StorageError } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { type OutboxBench, outboxBench, until } from '../../fixtures/outbox-bench.ts';
import type { DeliveryResult } from '../../mail/transport.ts';
import type { Log } from '../log.ts';

const SENT: DeliveryResult = { outcome: 'sent' };
const DOWN: DeliveryResult = { outcome: 'refused', permanent: false, reason: 'ECONNECTION ECONNREFUSED' };
const LOST: DeliveryResult = { outcome: 'unknown', reason: 'ETIMEDOUT' };
const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface MailServer {
  answer: DeliveryResult;
}

/** Lets as long pass in steps, in each of which the outbox comes to rest. */
async function letPass(bench: OutboxBench, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    bench.pass(STEP_MS);
    await comeToRest(bench);
  }
}

/** No mail is on its way, and none follows: between two of them there is a moment like it. */
async function comeToRest({ count, delivered }: OutboxBench): Promise<void> {
  let before: number;
  do {
    before = delivered.length;
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    await until(() => expect(count('sending')).toBe(0));
  } while (delivered.length > before);
}

async function signUp({ store, outbox }: OutboxBench, people: number): Promise<string[]> {
  const signups = Array.from({ length: people }, () => signupOf());
  await Promise.all(signups.map((signup) => store.createSignup(signup)));
  outbox.wake();
  return signups.map(({ email }) => email);
}

describe('a mail server that is down for a day', () => {
  it('is asked now and then, and gets every mail of that day once when it is back', async () => {
    const server: MailServer = { answer: DOWN };
    const bench = outboxBench(async () => server.answer);
    const people = await signUp(bench, 20);
    await letPass(bench, DAY_MS / 2);
    people.push(...(await signUp(bench, 20)));
    await letPass(bench, DAY_MS / 2);
    const attempts = bench.delivered.length;
    expect(attempts).toBeGreaterThan(100);
    expect(attempts).toBeLessThan(2 * 24 * 60);
    expect(bench.count('queued')).toBe(people.length);

    server.answer = SENT;
    people.push(...(await signUp(bench, 1)));
    await letPass(bench, 2 * HOUR_MS);
    await until(() => expect(bench.count('sent')).toBe(people.length));
    expect(bench.delivered.slice(attempts).sort()).toEqual([...people].sort());
  });
});

describe('a mail server that takes mails and hangs', () => {
  it('gets few of a day’s mails to swallow, and all others once when it works again', async () => {
    const server: MailServer = { answer: LOST };
    const bench = outboxBench(async () => server.answer);
    const people = await signUp(bench, 200);
    await letPass(bench, DAY_MS);
    const swallowed = bench.count('unknown');
    expect(swallowed).toBeGreaterThan(10);
    expect(swallowed).toBeLessThan(40);
    expect(bench.count('queued')).toBe(people.length - swallowed);

    server.answer = SENT;
    await letPass(bench, HOUR_MS);
    await until(() => expect(bench.count('sent')).toBe(people.length - swallowed));
    expect(new Set(bench.delivered).size).toBe(bench.delivered.length);
  });
});

describe('a clock that is set back an hour', () => {
  it('holds no mail back but those that wait for another attempt', async () => {
    const server: MailServer = { answer: DOWN };
    const bench = outboxBench(async () => server.answer);
    await signUp(bench, 1);
    await until(() => expect([bench.delivered.length, bench.count('queued')]).toEqual([1, 1]));
    bench.pass(-HOUR_MS);
    server.answer = SENT;
    await signUp(bench, 1);
    bench.pass(1_000);
    await until(() => expect(bench.count('sent')).toBe(1));
    bench.pass(HOUR_MS + MINUTE_MS);
    await until(() => expect(bench.count('sent')).toBe(2));
  });
});

describe('a database that takes no outcome', () => {
  it.each([
    ['refused', DOWN, 'queued'],
    ['sent', SENT, 'sent'],
  ] as const)(
    'gets it again until it does: a %s mail is neither forgotten nor called unknown',
    async (_, result, state) => {
      const disk = { isFull: true };
      const log: string[] = [];
      const note: Log = (level, event, fields) => log.push(`${level} ${event} ${fields?.reason ?? ''}`.trim());
      const bench = outboxBench(async () => result, {
        log: note,
        mails: ({ settle }) => ({
          settle: async (mail, settlement) => {
            if (disk.isFull) throw new StorageError('unavailable', 'the database could not keep it');
            await settle(mail, settlement);
          },
        }),
      });
      await signUp(bench, 1);
      await until(() => expect(log.at(-1)).toContain('outbox-failed'));
      bench.pass(1);
      bench.pass(1);
      expect(bench.count('sending')).toBe(1);
      disk.isFull = false;
      bench.outbox.wake();
      await until(() => expect(bench.count(state)).toBe(1));
      expect(bench.delivered).toHaveLength(1);
      // However often it was tried.
      expect(log.slice(1)).toEqual([
        'error outbox-failed early-access-kit: the database could not keep it',
        'info outbox-recovered',
      ]);
    },
  );
});
