import { DAY_MS, HOUR_MS } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { MAILBOX_FULL_REASON } from '../app/mail/mail-quota.ts';
import type { MessageOutcome } from '../app/mail/message-state.ts';
import type { ClaimedMessage, MailQueue, Store } from '../app/ports/store.ts';
import { exampleSignup } from './examples.ts';
import { claim, claimed, LEASE_MS, NOW, type SetUp } from './harness.ts';
import { unsubscribeHash } from './list-contract.ts';

const ME = 'me@example.org';
const SENT: MessageOutcome = { state: 'sent' };

/** The mail queue. */
export function mailContract(setUp: SetUp): void {
  /** A database with one signup. */
  async function setUpMessage() {
    const harness = await setUp();
    await harness.store.createSignup(exampleSignup({ email: ME }));
    const state = async () => (await harness.messages())[0]?.state;
    return { ...harness, mails: harness.store.mails, state };
  }

  describe('a message', () => {
    it('is claimed by exactly one caller in two processes, and stored as `sending` first', async () => {
      const { mails, open, messages } = await setUpMessage();
      const other = open().mails;
      const claims = await Promise.all([mails, other, mails, other].map((queue) => claim({ mails: queue })));
      expect(claims.filter((message) => message !== null)).toMatchObject([{ email: ME, attempts: 1 }]);
      expect(await messages()).toMatchObject([{ email: ME, state: 'sending', attempts: 1 }]);
      expect(await mails.isBeingSent(ME)).toBe(true);
    });

    it('is claimed once, if many are due and many callers claim', async () => {
      const { store, open } = await setUp();
      const emails = people(6);
      await signUp(store, emails);
      const other = open().mails;
      const cursors = [store.mails.due(), store.mails.due(), other.due()];
      const claimed: string[] = [];
      await Promise.all(
        cursors.map(async (due) => {
          for (;;) {
            const next = await due.claimNext();
            if (next === 'nothing') return;
            if (typeof next !== 'string') claimed.push(next.email);
          }
        }),
      );
      expect(claimed.toSorted()).toEqual(emails);
    });

    it('is not claimed before it is due, and has one key for all attempts', async () => {
      const { mails, clock } = await setUpMessage();
      const first = await claimed({ mails });
      await mails.recordOutcome(first, { state: 'queued', retryAt: NOW + 30_000, reason: '451' });
      expect(await mails.findNextDue()).toBe(NOW + 30_000);
      clock.now += 29_999;
      expect(await claim({ mails })).toBeNull();
      clock.now += 1;
      expect(await claim({ mails })).toMatchObject({ attempts: 2, messageKey: first.messageKey });
    });

    it.each<MessageOutcome>([SENT, { state: 'failed', reason: '550' }, { state: 'unknown', reason: 'cut off' }])(
      'is never claimed again once it is $state',
      async (outcome) => {
        const { mails, clock, state } = await setUpMessage();
        await mails.recordOutcome(await claimed({ mails }), outcome);
        clock.now += 1_000 * LEASE_MS;
        expect(await mails.expireLeases()).toBe(0);
        expect([await state(), await mails.findNextDue(), await claim({ mails })]).toEqual([outcome.state, null, null]);
      },
    );

    it('becomes unknown if the process ends between the claim and the outcome, and is never sent again', async () => {
      const { mails, clock, state } = await setUpMessage();
      const lost = await claimed({ mails });
      clock.now += LEASE_MS;
      expect([await mails.expireLeases(), await mails.isBeingSent(ME)]).toEqual([0, true]);
      clock.now += 1;
      expect([await mails.expireLeases(), await mails.isBeingSent(ME), await state()]).toEqual([1, false, 'unknown']);
      clock.now += 10 * DAY_MS;
      expect([await mails.expireLeases(), await claim({ mails })]).toEqual([0, null]);
      // A late outcome is still recorded.
      await mails.recordOutcome(lost, SENT);
      expect(await state()).toBe('sent');
    });

    it('is not changed by a late outcome of an earlier attempt', async () => {
      const { mails, clock, messages } = await setUpMessage();
      const late = await claimed({ mails });
      clock.now += LEASE_MS + 1;
      await mails.expireLeases();
      expect(await mails.resend(ME)).toBe('queued');
      await claimed({ mails });
      await mails.recordOutcome(late, { state: 'failed', reason: 'late' });
      expect(await messages()).toMatchObject([{ state: 'sending', attempts: 1 }]);
    });

    it('is resent only at the request of the admin, and not while it is being sent', async () => {
      const { mails } = await setUpMessage();
      const message = await claimed({ mails });
      expect(await mails.resend(ME)).toBe('being-sent');
      await mails.recordOutcome(message, SENT);
      expect(await mails.resend(ME)).toBe('queued');
      expect(await claimed({ mails })).toMatchObject({ attempts: 1, messageKey: message.messageKey });
      expect(await mails.resend('you@example.org')).toBe('not-signed-up');
      expect(await mails.isBeingSent('you@example.org')).toBe(false);
    });

    it('is queued at the request of the admin for a signup that has none', async () => {
      const { store } = await setUp();
      const imported = { email: ME, source: 'import', created_at: NOW, state: 'subscribed' } as const;
      await store.list.importPeople([imported], { welcome: false });
      expect([await claim(store), await store.mails.resend(ME)]).toEqual([null, 'queued']);
      expect(await claimed(store)).toMatchObject({ email: ME, kind: 'welcome', attempts: 1 });
    });

    it('is not changed by the outcome of a message whose signup was erased meanwhile', async () => {
      const { store, mails, messages } = await setUpMessage();
      const erased = await claimed({ mails });
      await store.erase(ME);
      await store.createSignup(exampleSignup());
      await claimed({ mails });
      await mails.recordOutcome(erased, SENT);
      expect(await messages()).toMatchObject([{ state: 'sending' }]);
    });

    it('does not come back if its signup is erased while it is being sent', async () => {
      const { store, mails, messages } = await setUpMessage();
      const message = await claimed({ mails });
      await store.erase(ME);
      await mails.recordOutcome(message, SENT);
      expect(await messages()).toEqual([]);
      expect(await mails.resend(ME)).toBe('not-signed-up');
    });

    it('is claimed once or erased with its person, if both happen at the same time', async () => {
      const { store, open, messages } = await setUp();
      const [erased, stayed] = [people(20).slice(0, 10), people(20).slice(10)];
      await signUp(store, people(20));
      const other = open();
      const [sent, alsoSent] = await Promise.all([
        sendAll(store),
        sendAll(other),
        ...erased.map((email, index) => (index % 2 === 0 ? store : other).erase(email)),
      ]);
      const all = [...sent, ...alsoSent];
      expect(all.length).toBe(new Set(all).size);
      expect(all.filter((email) => stayed.includes(email)).toSorted()).toEqual(stayed.toSorted());
      expect((await messages()).map(({ email, state }) => [email, state]).toSorted()).toEqual(
        stayed.map((email) => [email, 'sent']).toSorted(),
      );
    });

    it('keeps its lease when the clock is set back, and later messages do not wait', async () => {
      const { store, mails, clock } = await setUpMessage();
      await claimed({ mails });
      clock.now -= HOUR_MS;
      expect([await mails.expireLeases(), await mails.isBeingSent(ME)]).toEqual([0, true]);
      await store.createSignup(exampleSignup({ email: 'you@example.org' }));
      expect(await claim({ mails })).toMatchObject({ email: 'you@example.org' });
      clock.now = NOW + LEASE_MS + 1;
      expect(await mails.expireLeases()).toBe(2);
    });

    it('is a notice to each admin, however many they get, and is not stored once it is sent', async () => {
      const { store, messages } = await setUp();
      const { mails } = store;
      const figures = [{ label: 'Visitors', value: '1,234', change: '+12%' }];
      const notice = { type: 'weekly', period: '16 – 22 March 2026', figures } as const;
      const admins = ['ada@example.com', 'bob@example.com'];
      for (let turn = 0; turn < 5; turn += 1) await mails.notify(admins, notice);
      const got: ClaimedMessage[] = [];
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        const tokens = { link: null, unsubscribe: null };
        expect(message).toMatchObject({ kind: 'notice', notice, tokens, campaign: null });
        got.push(message);
      }
      for (const message of got) await mails.recordOutcome(message, SENT);
      expect(got.map(({ email }) => email).toSorted()).toEqual(
        admins.flatMap((admin) => Array.from({ length: 5 }, () => admin)),
      );
      expect(await messages()).toEqual([]);
      await mails.notify(['ada@example.com'], notice);
      await mails.recordOutcome(await claimed(store), { state: 'failed', reason: '550' });
      expect(await messages()).toMatchObject([{ state: 'failed', attempts: 1 }]);
    });

    it('is listed with its state', async () => {
      const { store, mails } = await setUpMessage();
      await mails.recordOutcome(await claimed({ mails }), { state: 'failed', reason: '550' });
      await store.createSignup(exampleSignup());
      await mails.recordOutcome(await claimed({ mails }), SENT);
      expect(await mails.counts()).toEqual(
        new Map([
          ['failed', 1],
          ['sent', 1],
        ]),
      );
      expect(await unsent(mails)).toEqual([
        { email: ME, state: 'failed', attempts: 1, nextAttemptAt: NOW, reason: '550' },
      ]);
    });
  });

  describe('the mail quota', () => {
    it('is shared by all processes, and the rest is sent in the next hours', async () => {
      const { store, clock, open } = await setUp({ mailsPerHour: 3 });
      await signUp(store, people(7));
      expect(await sendAll(store)).toHaveLength(3);
      const other = open();
      expect(await sendAll(other)).toEqual([]);
      expect(await other.mails.quotaSpentUntil()).toBe(Date.UTC(2026, 2, 1, 15));
      clock.now = Date.UTC(2026, 2, 1, 15) - 1;
      expect(await sendAll(store)).toEqual([]);
      clock.now += 1;
      expect(await sendAll(store)).toHaveLength(3);
      clock.now += HOUR_MS;
      expect([(await sendAll(store)).length, await store.mails.quotaSpentUntil()]).toEqual([1, null]);
    });

    it('is exact, however many callers claim at the same time', async () => {
      const { store, open } = await setUp({ mailsPerHour: 5 });
      await signUp(store, people(12));
      const stores = [store, open(), open()];
      const sent = (await Promise.all([...stores, ...stores].map(sendAll))).flat();
      expect([sent.length, new Set(sent).size]).toEqual([5, 5]);
    });

    it('is not spent before anything was sent', async () => {
      const { store } = await setUp({ mailsPerHour: 1 });
      expect(await store.mails.quotaSpentUntil()).toBeNull();
    });

    it('counts every attempt', async () => {
      const { store } = await setUp({ mailsPerHour: 2 });
      await signUp(store, [ME]);
      for (const attempts of [1, 2]) {
        const message = await claimed(store);
        expect(message.attempts).toBe(attempts);
        await store.mails.recordOutcome(message, { state: 'queued', retryAt: NOW, reason: '451' });
      }
      expect(await store.mails.due().claimNext()).toBe('quota-spent');
    });
  });

  describe('the limit of a mailbox', () => {
    const tagged = (count: number) => Array.from({ length: count }, (_, n) => `victim+${n}@example.org`).toSorted();

    it('allows three messages a day, for all sub-addresses together, until all are sent', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(8));
      const sent = await sendAll(store);
      expect(sent).toHaveLength(3);
      const waiting = { state: 'queued', attempts: 0, reason: MAILBOX_FULL_REASON };
      expect((await unsent(store.mails)).toSorted((a, b) => a.nextAttemptAt - b.nextAttemptAt)).toMatchObject(
        [1, 1, 1, 2, 2].map((day) => ({ ...waiting, nextAttemptAt: NOW + day * DAY_MS })),
      );
      for (const [day, count] of [3, 2].entries()) {
        clock.now = NOW + (day + 1) * DAY_MS - 1;
        expect(await sendAll(store)).toEqual([]);
        clock.now += 1;
        const next = await sendAll(store);
        expect(next).toHaveLength(count);
        sent.push(...next);
      }
      expect(sent.toSorted()).toEqual(tagged(8));
    });

    it('holds, however many callers claim at the same time', async () => {
      const { store, open } = await setUp();
      await signUp(store, tagged(9));
      const stores = [store, open(), open()];
      const sent = (await Promise.all([...stores, ...stores].map(sendAll))).flat();
      expect([sent.length, new Set(sent).size]).toEqual([3, 3]);
    });

    it('holds after an outage, when the planned messages of several days are due at once', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(12));
      await sendAll(store);
      for (const days of [10, 1]) {
        clock.now += days * DAY_MS;
        expect(await sendAll(store)).toHaveLength(3);
      }
    });

    it('holds for dots and both domains of Gmail', async () => {
      const { store } = await setUp();
      await signUp(store, ['ada@gmail.com', 'a.da@gmail.com', 'ad.a@googlemail.com', 'a.d.a+x@gmail.com', 'a.da@x.io']);
      const sent = await sendAll(store);
      expect(sent).toHaveLength(4);
      expect(sent).toContain('a.da@x.io');
    });

    it('does not use up the quota of the hour, nor the limit of other mailboxes', async () => {
      const { store } = await setUp({ mailsPerHour: 8 });
      await signUp(store, [...tagged(12), ...people(5)]);
      const sent = await sendAll(store);
      expect(sent).toHaveLength(8);
      expect(sent.filter((email) => !email.startsWith('victim')).toSorted()).toEqual(people(5));
    });

    it('has room again once the first of three messages is a day old', async () => {
      const { store, clock } = await setUp();
      for (const email of tagged(4)) {
        await signUp(store, [email]);
        await sendAll(store);
        clock.now += HOUR_MS;
      }
      expect(await store.mails.findNextDue()).toBe(NOW + DAY_MS);
    });

    it.each(['unsubscribe', 'erase'] as const)('holds for an address that signs up again after %s', async (way) => {
      const { store, clock } = await setUp();
      await signUp(store, [ME]);
      let last = await claimed(store);
      let sent = 1;
      for (let round = 0; round < 4; round += 1) {
        await store.mails.recordOutcome(last, SENT);
        if (way === 'erase') await store.erase(ME);
        else await store.list.unsubscribe(unsubscribeHash(last));
        clock.now += 1_000;
        await signUp(store, [ME]);
        const next = await claim(store);
        if (next === null) continue;
        sent += 1;
        last = next;
      }
      expect(sent).toBe(3);
      clock.now = NOW + DAY_MS - 1;
      await store.mails.expireLeases();
      expect(await claim(store)).toBeNull();
      clock.now += 1;
      expect((await claimed(store)).email).toBe(ME);
    });

    it('lets a message be retried that is one of the three', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(3));
      const retried = await claimed(store);
      await store.mails.recordOutcome(retried, { state: 'queued', retryAt: NOW + 1, reason: '451' });
      expect(await sendAll(store)).toHaveLength(2);
      clock.now += 1;
      expect(await sendAll(store)).toEqual([retried.email]);
    });

    it('counts messages that may have been sent, and a retried message once', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(1));
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        const message = await claimed(store);
        expect(message.attempts).toBe(attempt);
        clock.now += 30_000;
        await store.mails.recordOutcome(message, { state: 'queued', retryAt: clock.now, reason: '451' });
      }
      await store.mails.recordOutcome(await claimed(store), { state: 'unknown', reason: 'cut off' });
      await signUp(store, ['victim@example.org', 'victim+a@example.org', 'victim+b@example.org']);
      expect(await sendAll(store)).toHaveLength(2);
    });
  });
}

function people(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `person-${n}@example.org`);
}

async function signUp(store: Store, emails: readonly string[]): Promise<void> {
  for (const email of emails) await store.createSignup(exampleSignup({ email }));
}

/** Sends all messages that may be sent now. Returns the addresses. */
async function sendAll({ mails }: Store): Promise<string[]> {
  const sent: string[] = [];
  for (;;) {
    const message = await claim({ mails });
    if (message === null) return sent;
    sent.push(message.email);
    await mails.recordOutcome(message, SENT);
  }
}

async function unsent(mails: MailQueue) {
  const messages = [];
  for await (const message of mails.unsent()) messages.push(message);
  return messages;
}
