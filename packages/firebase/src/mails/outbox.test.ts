import { expect, it } from 'vitest';
import { bench } from '../fixtures/bench.ts';
import { type ClaimedMail, outbox } from './outbox.ts';

const LEASE_MS = 600_000;
const b = bench();

async function claimed(): Promise<{ mails: ReturnType<typeof outbox>; mail: ClaimedMail }> {
  const mails = outbox({ firestore: b.db, mailsPerHour: 10, clock: () => b.clock.now, leaseMs: LEASE_MS });
  const mail = await mails.claim(await b.signUp('ada@example.org'));
  if (typeof mail === 'string') throw new Error(mail);
  return { mails, mail };
}

it('leaves a lease that has not run out', async () => {
  const { mails, mail } = await claimed();
  b.clock.now += LEASE_MS;
  expect(await mails.expire(mail.signupId)).toBe(false);
  b.clock.now += 1;
  expect(await mails.expire(mail.signupId)).toBe(true);
  expect(await mails.expire(mail.signupId)).toBe(false);
  expect(await mails.expire('nobody')).toBe(false);
});

it('keeps the outcome of the attempt that a mail is in, and of no other', async () => {
  const { mails, mail } = await claimed();
  await mails.settle(mail, { state: 'queued', retryAt: b.clock.now, reason: '451' });
  const second = await mails.claim(mail.signupId);
  expect(second).toMatchObject({ messageKey: mail.messageKey, attempts: 2 });
  await mails.settle(mail, { state: 'failed', reason: 'late' });
  expect(await b.mail(mail.signupId)).toMatchObject({ state: 'sending', attempts: 2 });
});

it('spreads the attempts of an hour over several documents', async () => {
  const mails = outbox({ firestore: b.db, mailsPerHour: 7, clock: () => b.clock.now, leaseMs: LEASE_MS });
  const people = Array.from({ length: 9 }, (_, n) => `person-${n}@example.org`);
  const claims = await Promise.all((await Promise.all(people.map(b.signUp))).map(mails.claim));
  expect(claims.filter((claim) => claim === 'quota-spent')).toHaveLength(2);
  const counts = b.fake.store.list('mail_hours').map(({ name, fields }) => [name.split('/').at(-1), fields?.attempts]);
  expect(counts).toEqual([
    ['2026-03-01T14-0', { integerValue: '2' }],
    ['2026-03-01T14-1', { integerValue: '2' }],
    ['2026-03-01T14-2', { integerValue: '2' }],
    ['2026-03-01T14-3', { integerValue: '1' }],
  ]);
});
