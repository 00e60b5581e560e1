import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import type { ClaimedMail } from './mail-claim.ts';
import { type MailStore, openStore } from './store.ts';

const LEASE_MS = 60_000;

/** A store with one sign-up and a clock to set. */
async function bench() {
  const clock = { now: 1_700_000_000_000 };
  const { store, raw, file } = tempStore({ clock: () => clock.now });
  await store.createSignup(signupOf({ email: 'me@example.org' }));
  return { clock, store, file, mails: store.mails, state: () => readValue(raw, 'SELECT state FROM mails') };
}

async function claimed(mails: MailStore): Promise<ClaimedMail> {
  const mail = await mails.claim(LEASE_MS);
  if (mail === null) throw new Error('no mail was due');
  return mail;
}

describe('the outbox table', () => {
  it('gives a mail to one claimant, marked before he has it', async () => {
    const { mails, clock, state } = await bench();
    const results = await Promise.all([mails.claim(LEASE_MS), mails.claim(LEASE_MS), mails.claim(LEASE_MS)]);
    expect(results).toEqual([
      {
        signupId: 1,
        email: 'me@example.org',
        messageKey: expect.any(String),
        attempts: 1,
        leaseUntil: clock.now + LEASE_MS,
      },
      null,
      null,
    ]);
    expect(state()).toBe('sending');
  });

  it('gives a mail to one of two processes', async () => {
    const { mails, file, clock } = await bench();
    const other = openStore({ file, clock: () => clock.now });
    const results = await Promise.all([mails.claim(LEASE_MS), other.mails.claim(LEASE_MS)]);
    other.close();
    expect(results.filter((mail) => mail !== null)).toHaveLength(1);
  });

  it('offers nothing before its time', async () => {
    const { mails, clock } = await bench();
    await mails.settle(await claimed(mails), { state: 'queued', retryAt: clock.now + 30_000, reason: '451' });
    expect(mails.nextDue()).toBe(clock.now + 30_000);
    clock.now += 29_999;
    expect(await mails.claim(LEASE_MS)).toBeNull();
    clock.now += 1;
    expect(await mails.claim(LEASE_MS)).toMatchObject({ attempts: 2 });
  });

  it('keeps one message key for all attempts', async () => {
    const { mails, clock } = await bench();
    const first = await claimed(mails);
    await mails.settle(first, { state: 'queued', retryAt: clock.now, reason: '451' });
    expect((await claimed(mails)).messageKey).toBe(first.messageKey);
  });

  it.each(['sent', 'failed', 'unknown'] as const)('never offers again what is %s', async (outcome) => {
    const { mails, clock, state } = await bench();
    const mail = await claimed(mails);
    await mails.settle(mail, outcome === 'sent' ? { state: outcome } : { state: outcome, reason: 'because' });
    clock.now += 1_000 * LEASE_MS;
    expect(state()).toBe(outcome);
    expect(mails.nextDue()).toBeNull();
    expect(await mails.expire()).toBe(0);
    expect(await mails.claim(LEASE_MS)).toBeNull();
  });

  it('calls unknown what nobody settled in time, and believes a late outcome', async () => {
    const { mails, clock, state } = await bench();
    const mail = await claimed(mails);
    clock.now += LEASE_MS;
    expect(mails.hasLapsed(clock.now)).toBe(false);
    expect(await mails.expire()).toBe(0);
    clock.now += 1;
    expect(mails.hasLapsed(clock.now)).toBe(true);
    expect(await mails.expire()).toBe(1);
    expect(state()).toBe('unknown');
    await mails.settle(mail, { state: 'sent' });
    expect(state()).toBe('sent');
  });

  it('does not let a late outcome touch a later attempt', async () => {
    const { mails, clock, state } = await bench();
    const late = await claimed(mails);
    clock.now += LEASE_MS + 1;
    await mails.expire();
    expect(await mails.resend('me@example.org')).toBe('queued');
    await claimed(mails);
    await mails.settle(late, { state: 'failed', reason: 'too late' });
    expect(state()).toBe('sending');
  });

  it('sends again only because it is told to, and not while one is on its way', async () => {
    const { mails } = await bench();
    const mail = await claimed(mails);
    expect(await mails.resend('me@example.org')).toBe('being-sent');
    await mails.settle(mail, { state: 'sent' });
    expect(await mails.resend('me@example.org')).toBe('queued');
    expect((await claimed(mails)).attempts).toBe(1);
    expect(await mails.resend('you@example.org')).toBe('not-signed-up');
  });

  it('tells the owner what became of each', async () => {
    const { mails, store, clock } = await bench();
    await mails.settle(await claimed(mails), { state: 'failed', reason: '550' });
    await store.createSignup(signupOf({ email: 'you@example.org' }));
    await mails.settle(await claimed(mails), { state: 'sent' });
    expect(mails.counts()).toEqual(
      new Map([
        ['failed', 1],
        ['sent', 1],
      ]),
    );
    expect([...mails.unsent()]).toEqual([
      { email: 'me@example.org', state: 'failed', attempts: 1, nextAttemptAt: clock.now, reason: '550' },
    ]);
  });
});
