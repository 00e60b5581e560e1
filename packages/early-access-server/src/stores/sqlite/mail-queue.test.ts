import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { readValue } from '../../fixtures/read-back.ts';
import { claimNext, tempStore } from '../../fixtures/temp-store.ts';
import type { ClaimedMessage } from '../store.ts';
import { type SqliteMailQueue, sqliteStore } from './sqlite-store.ts';

const LEASE_MS = 60_000;

/** A store with one sign-up and a clock to set. */
async function harness() {
  const clock = { now: 1_700_000_000_000 };
  const { store, raw, file } = tempStore({ clock: () => clock.now, leaseMs: LEASE_MS });
  await store.createSignup(signupOf({ email: 'me@example.org' }));
  return { clock, store, file, mails: store.mails, state: () => readValue(raw, 'SELECT state FROM mails') };
}

async function claimed(mails: SqliteMailQueue): Promise<ClaimedMessage> {
  const mail = await claimNext(mails);
  if (mail === null) throw new Error('no mail was due');
  return mail;
}

describe('the mail queue', () => {
  it('gives a mail to one claimant, marked before he has it', async () => {
    const { mails, clock, state } = await harness();
    const results = await Promise.all([claimNext(mails), claimNext(mails), claimNext(mails)]);
    expect(results).toEqual([
      {
        signupId: '1',
        email: 'me@example.org',
        messageKey: expect.any(String),
        attempts: 1,
        claimToken: String(clock.now + LEASE_MS),
      },
      null,
      null,
    ]);
    expect(state()).toBe('sending');
  });

  it('gives a mail to one of two processes', async () => {
    const { mails, file, clock } = await harness();
    const other = sqliteStore({ file, clock: () => clock.now });
    const results = await Promise.all([claimNext(mails), claimNext(other.mails)]);
    other.close();
    expect(results.filter((mail) => mail !== null)).toHaveLength(1);
  });

  it('offers nothing before its time', async () => {
    const { mails, clock } = await harness();
    await mails.recordOutcome(await claimed(mails), { state: 'queued', retryAt: clock.now + 30_000, reason: '451' });
    expect(mails.nextDueAt()).toBe(clock.now + 30_000);
    clock.now += 29_999;
    expect(await claimNext(mails)).toBeNull();
    clock.now += 1;
    expect(await claimNext(mails)).toMatchObject({ attempts: 2 });
  });

  it('keeps one message key for all attempts', async () => {
    const { mails, clock } = await harness();
    const first = await claimed(mails);
    await mails.recordOutcome(first, { state: 'queued', retryAt: clock.now, reason: '451' });
    expect((await claimed(mails)).messageKey).toBe(first.messageKey);
  });

  it.each(['sent', 'failed', 'unknown'] as const)('never offers again what is %s', async (outcome) => {
    const { mails, clock, state } = await harness();
    const mail = await claimed(mails);
    await mails.recordOutcome(mail, outcome === 'sent' ? { state: outcome } : { state: outcome, reason: 'because' });
    clock.now += 1_000 * LEASE_MS;
    expect(state()).toBe(outcome);
    expect(mails.nextDueAt()).toBeNull();
    expect(await mails.expireLeases()).toBe(0);
    expect(await claimNext(mails)).toBeNull();
  });

  it('calls unknown what nobody settled in time, and believes a late outcome', async () => {
    const { mails, clock, state } = await harness();
    const mail = await claimed(mails);
    clock.now += LEASE_MS;
    expect(await mails.expireLeases()).toBe(0);
    clock.now += 1;
    expect(await mails.expireLeases()).toBe(1);
    expect(state()).toBe('unknown');
    await mails.recordOutcome(mail, { state: 'sent' });
    expect(state()).toBe('sent');
  });

  it('does not let a late outcome touch a later attempt', async () => {
    const { mails, clock, state } = await harness();
    const late = await claimed(mails);
    clock.now += LEASE_MS + 1;
    await mails.expireLeases();
    expect(await mails.resend('me@example.org')).toBe('queued');
    await claimed(mails);
    await mails.recordOutcome(late, { state: 'failed', reason: 'too late' });
    expect(state()).toBe('sending');
  });

  it('sends again only because it is told to, and not while one is on its way', async () => {
    const { mails } = await harness();
    const mail = await claimed(mails);
    expect(await mails.resend('me@example.org')).toBe('being-sent');
    await mails.recordOutcome(mail, { state: 'sent' });
    expect(await mails.resend('me@example.org')).toBe('queued');
    expect((await claimed(mails)).attempts).toBe(1);
    expect(await mails.resend('you@example.org')).toBe('not-signed-up');
  });

  it('tells the owner what became of each', async () => {
    const { mails, store, clock } = await harness();
    await mails.recordOutcome(await claimed(mails), { state: 'failed', reason: '550' });
    await store.createSignup(signupOf({ email: 'you@example.org' }));
    await mails.recordOutcome(await claimed(mails), { state: 'sent' });
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
