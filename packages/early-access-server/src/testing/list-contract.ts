import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../app/access/secrets.ts';
import { PENDING_MS, type PersonState, REMINDER_AFTER_MS } from '../app/lifecycle/states.ts';
import { CONFIRM_LINK_MS, INVITE_LINK_MS } from '../app/mail/message-kinds.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { InviteWave } from '../app/ports/list-store.ts';
import type { Store } from '../app/ports/store.ts';
import { EVENT_TYPES } from '../app/webhooks/events.ts';
import { EXAMPLE_FIELDS, exampleSignup } from './examples.ts';
import {
  claim,
  claimed,
  deliver,
  everyone,
  linkHash,
  NOW,
  readStates,
  type SetUp,
  unsubscribeHash,
} from './harness.ts';

const ME = 'me@example.org';

export function listContract(setUp: SetUp): void {
  /** A signup whose first message has been sent. */
  async function withSignup({ confirm = false } = {}) {
    const harness = await setUp({ confirm, mailsPerHour: 10_000 });
    const signup = exampleSignup({ email: ME, fields: EXAMPLE_FIELDS });
    await harness.store.createSignup(signup);
    return { ...harness, signup, first: await deliver(harness.store), list: harness.store.list };
  }

  /** Adds `count` people, one per second, without emails. */
  async function withPeople(count: number, { welcome = false } = {}) {
    const harness = await setUp({ mailsPerHour: 100_000 });
    const people = Array.from({ length: count }, (_, n) => ({
      email: `p${n}@x${n}.io`,
      source: n % 2 === 0 ? 'even' : 'odd',
      created_at: NOW - (count - n) * 1_000,
      state: 'subscribed' as const,
    }));
    for (let start = 0; start < count; start += 100) {
      await harness.store.list.importPeople(people.slice(start, start + 100), { welcome });
    }
    return { ...harness, list: harness.store.list };
  }

  describe('a signup that has to be confirmed', () => {
    it('is pending, and gets a confirmation instead of the welcome email', async () => {
      const { first, store, messages } = await withSignup({ confirm: true });
      expect([first.kind, await readStates(store)]).toEqual(['confirmation', { [ME]: 'pending' }]);
      expect(await messages()).toHaveLength(1);
      expect([first.tokens.link, first.tokens.unsubscribe]).toEqual([expect.any(String), expect.any(String)]);
    });

    it('returns that it is pending, also to a repeated request, and `created` once it is confirmed', async () => {
      const { store } = await setUp({ confirm: true });
      const signup = exampleSignup({ email: ME });
      const results = await Promise.all([1, 2, 3].map(() => store.createSignup(signup)));
      expect(results).toEqual(['pending', 'pending', 'pending']);
      expect(await store.createSignup(exampleSignup({ email: ME }))).toBe('duplicate');
      await store.list.confirm(linkHash(await deliver(store)), null);
      expect(await store.createSignup(signup)).toBe('created');
    });

    it('is confirmed once by a link, or by the browser that signed up', async () => {
      const { first, list, signup, store } = await withSignup({ confirm: true });
      expect(await list.confirm(hashToken('nothing'), null)).toBe('unknown');
      expect(await list.confirm(unsubscribeHash(first), null)).toBe('unknown');
      expect(await list.confirm(linkHash(first), 'another-submission')).toBe('other-browser');
      expect(await readStates(store)).toEqual({ [ME]: 'pending' });
      const results = await Promise.all([1, 2, 3].map(() => list.confirm(linkHash(first), signup.submission_id)));
      expect(results.toSorted()).toEqual(['already-confirmed', 'already-confirmed', 'confirmed']);
      expect(await readStates(store)).toEqual({ [ME]: 'subscribed' });
      expect(await list.renewConfirmation(linkHash(first))).toBe('not-pending');
      expect(await queued(store)).toBe(0);
    });

    it('gets a new link for one that has expired, and only one at a time', async () => {
      const { first, list, clock, store } = await withSignup({ confirm: true });
      clock.now += CONFIRM_LINK_MS;
      expect(await list.confirm(linkHash(first), null)).toBe('expired');
      expect(await list.renewConfirmation(hashToken('nothing'))).toBe('unknown');
      expect([await list.renewConfirmation(linkHash(first)), await list.renewConfirmation(linkHash(first))]).toEqual([
        'queued',
        'queued',
      ]);
      const second = await deliver(store);
      expect([second.kind, await claim(store)]).toEqual(['confirmation', null]);
      expect(await list.confirm(linkHash(second), null)).toBe('confirmed');
      expect(await list.confirm(linkHash(first), null)).toBe('already-confirmed');
    });

    it('is reminded once and erased in the end, unless it is confirmed', async () => {
      const { list, clock, store } = await withSignup({ confirm: true });
      await store.createSignup(exampleSignup({ email: 'you@example.org' }));
      const yours = await deliver(store);
      clock.now = NOW + REMINDER_AFTER_MS - 1;
      expect(await list.tidyPending(10)).toBe(0);
      clock.now += 1;
      expect([await list.tidyPending(10), await list.tidyPending(10)]).toEqual([2, 0]);
      await list.confirm(linkHash(yours), null);
      const reminder = await deliver(store);
      expect([reminder.kind, reminder.email, await claim(store)]).toEqual(['reminder', ME, null]);
      clock.now = NOW + PENDING_MS;
      expect([await list.tidyPending(10), await list.tidyPending(10)]).toEqual([1, 0]);
      expect(await readStates(store)).toEqual({ 'you@example.org': 'subscribed' });
      expect(await list.confirm(linkHash(reminder), null)).toBe('unknown');
    });

    it('is erased and reminded in portions, the oldest first', async () => {
      const { store, clock } = await setUp({ confirm: true });
      for (const email of ['a@x.io', 'b@x.io']) await store.createSignup(exampleSignup({ email }));
      clock.now = NOW + PENDING_MS - REMINDER_AFTER_MS;
      for (const email of ['c@x.io', 'd@x.io', 'e@x.io']) await store.createSignup(exampleSignup({ email }));
      clock.now = NOW + PENDING_MS;
      const tidied = [await store.list.tidyPending(1), await store.list.tidyPending(2)];
      expect([tidied, Object.keys(await readStates(store)).toSorted()]).toEqual([
        [1, 2],
        ['c@x.io', 'd@x.io', 'e@x.io'],
      ]);
      expect([await store.list.tidyPending(3), await store.list.tidyPending(3)]).toEqual([2, 0]);
    });
  });

  describe('a person who unsubscribes', () => {
    it('can do so by a link that was made for them, while they are on the list', async () => {
      const { list, store } = await withSignup();
      expect(await list.createTokens('you@example.org')).toBeNull();
      const tokens = [await list.createTokens(ME), await list.createTokens(ME)].map((made) => made?.unsubscribe);
      expect(new Set(tokens).size).toBe(2);
      expect(await readStates(store)).toEqual({ [ME]: 'subscribed' });
      for (const token of tokens) expect(await list.unsubscribe(hashToken(token ?? ''))).toBe('unsubscribed');
      expect(await readStates(store)).toEqual({ [ME]: 'unsubscribed' });
      await store.erase(ME);
      expect(await list.createTokens(ME)).toBeNull();
    });

    it('gets nothing more, and comes back only by confirming a new signup', async () => {
      const { first, list, store, signup, clock } = await withSignup();
      await store.mails.resend(ME);
      expect([await list.unsubscribe(hashToken('nothing')), await queued(store)]).toEqual(['unknown', 1]);
      expect([await list.unsubscribe(unsubscribeHash(first)), await list.unsubscribe(unsubscribeHash(first))]).toEqual([
        'unsubscribed',
        'unsubscribed',
      ]);
      expect(await queued(store)).toBe(0);
      expect([await claim(store), await store.mails.resend(ME)]).toEqual([null, 'unsubscribed']);
      expect(await store.createSignup(signup)).toBe('created');
      expect(await readStates(store)).toEqual({ [ME]: 'unsubscribed' });
      clock.now += DAY_MS;
      const [{ id, fields } = { id: '', fields: {} }] = await everyone(store);
      expect(fields).toEqual(EXAMPLE_FIELDS);
      const again = exampleSignup({ email: ME, fields: { role: 'author' } });
      expect([await store.createSignup(again), await store.createSignup(exampleSignup({ email: ME }))]).toEqual([
        'created',
        'duplicate',
      ]);
      expect(await readStates(store)).toEqual({ [ME]: 'pending' });
      expect(await everyone(store)).toMatchObject([{ id, fields: EXAMPLE_FIELDS }]);
      expect((await store.readSummary()).email_signups).toBe(1);
      const confirmation = await deliver(store);
      expect(confirmation).toMatchObject({ kind: 'confirmation', email: ME, fields: {} });
      expect(await list.invite({ after: null, who: { count: 1, filter: EVERYONE } })).toBe('nobody');
      expect(await list.confirm(linkHash(confirmation), again.submission_id)).toBe('confirmed');
      expect([await readStates(store), await claim(store)]).toEqual([{ [ME]: 'subscribed' }, null]);
      expect(await everyone(store)).toMatchObject([{ id, fields: { role: 'author' } }]);
    });

    it('has to confirm under any option of the caller, and one signup does not make the next one count', async () => {
      const { first, list, store } = await withSignup();
      let last = first;
      for (let round = 0; round < 2; round += 1) {
        expect(await list.unsubscribe(unsubscribeHash(last))).toBe('unsubscribed');
        await store.createSignup(exampleSignup({ email: ME }), { confirm: false });
        last = await deliver(store);
        expect([last.kind, await readStates(store)]).toEqual(['confirmation', { [ME]: 'pending' }]);
      }
    });

    it('is unsubscribed again if the new signup is not confirmed in time, and is never forgotten', async () => {
      const { first, list, store, clock } = await withSignup();
      await list.unsubscribe(unsubscribeHash(first));
      await store.createSignup(exampleSignup({ email: ME }));
      await store.createSignup(exampleSignup({ email: 'you@example.org' }), { confirm: true });
      clock.now += PENDING_MS;
      expect([await list.tidyPending(1), await list.tidyPending(1), await list.tidyPending(1)]).toEqual([1, 1, 0]);
      expect([await readStates(store), await queued(store)]).toEqual([{ [ME]: 'unsubscribed' }, 0]);
      await store.createSignup(exampleSignup({ email: ME }));
      expect([await readStates(store), (await claimed(store)).kind]).toEqual([{ [ME]: 'pending' }, 'confirmation']);
    });

    it('can be erased', async () => {
      const { first, list, store } = await withSignup();
      await list.unsubscribe(unsubscribeHash(first));
      expect((await store.erase(ME)).erased).not.toBeNull();
      expect([await readStates(store), await list.unsubscribe(unsubscribeHash(first))]).toEqual([{}, 'unknown']);
    });
  });

  describe('what a mail provider reports about an address', () => {
    it('makes the person bounced, and is no news the second time', async () => {
      const { store, list, clock } = await withSignup();
      for (let turn = 0; turn < 2; turn += 1) await list.changePerson(ME, 'bounce', 'mail-server');
      expect(await readStates(store)).toEqual({ [ME]: 'bounced' });
      clock.now += DAY_MS;
      expect([await store.mails.resend(ME), await readStates(store)]).toEqual(['queued', { [ME]: 'subscribed' }]);
      await list.changePerson(ME, 'bounce', 'mail-server');
      expect([await readStates(store), await claim(store)]).toEqual([{ [ME]: 'bounced' }, null]);
    });

    it('unsubscribes the person for good, and drops what is queued', async () => {
      const { store, list } = await withSignup();
      await store.mails.resend(ME);
      await list.changePerson(ME, 'unsubscribe', 'mail-server');
      await list.changePerson(ME, 'unsubscribe', 'mail-server');
      await list.changePerson(ME, 'bounce', 'mail-server');
      expect([await readStates(store), await queued(store)]).toEqual([{ [ME]: 'unsubscribed' }, 0]);
      expect(await store.mails.resend(ME)).toBe('unsubscribed');
    });

    it('changes nothing if the address is not on the list', async () => {
      const { store, list } = await withSignup();
      await list.changePerson('nobody@example.org', 'bounce', 'mail-server');
      await list.changePerson('nobody@example.org', 'unsubscribe', 'mail-server');
      expect(await readStates(store)).toEqual({ [ME]: 'subscribed' });
    });
  });

  it('an address that bounced gets nothing more until the admin sends to it again', async () => {
    const { store } = await setUp({ confirm: true });
    const { list } = store;
    await store.createSignup(exampleSignup({ email: ME }));
    await store.mails.recordOutcome(await claimed(store), { state: 'failed', reason: '550', refusal: 'no-mailbox' });
    expect(await store.createSignup(exampleSignup({ email: ME }))).toBe('duplicate');
    expect(await readStates(store)).toEqual({ [ME]: 'bounced' });
    expect(await list.invite({ after: null, who: { count: 1, filter: EVERYONE } })).toBe('nobody');
    expect(await store.mails.resend(ME)).toBe('queued');
    expect(await readStates(store)).toEqual({ [ME]: 'pending' });
    expect(await list.confirm(linkHash(await deliver(store)), null)).toBe('confirmed');
    expect(await store.mails.resend(ME)).toBe('queued');
    await store.mails.recordOutcome(await claimed(store), { state: 'failed', reason: '550', refusal: 'no-mailbox' });
    expect([await store.mails.resend(ME), await readStates(store)]).toEqual(['queued', { [ME]: 'subscribed' }]);
  });

  describe('people whose address bounced', () => {
    async function withBounced() {
      const harness = await withPeople(4, { welcome: true });
      const { store, list } = harness;
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        await store.mails.recordOutcome(message, { state: 'failed', reason: '550', refusal: 'no-mailbox' });
      }
      expect(await list.counts()).toEqual(new Map([['bounced', 4]]));
      return { ...harness, ids: (await everyone(store)).map(({ id }) => id) };
    }

    it('return to their state before, the oldest first, and get no email by it', async () => {
      const { list, store } = await withBounced();
      const odd = { ...EVERYONE, source: 'odd' };
      expect(await list.restoreBounced({ count: 1, filter: odd })).toBe(1);
      expect(await inState(store, 'subscribed')).toEqual(['p1@x1.io']);
      expect(await list.restoreBounced({ count: 10, filter: { ...odd, state: 'subscribed' } })).toBe(1);
      expect(await list.restoreBounced({ count: 10, filter: EVERYONE })).toBe(2);
      expect(await list.restoreBounced({ count: 10, filter: EVERYONE })).toBe(0);
      expect([await list.counts(), await claim(store)]).toEqual([new Map([['subscribed', 4]]), null]);
    });

    it('return if they are named, each once, and nobody else does', async () => {
      const { list, store, ids } = await withBounced();
      const named = [...ids.slice(0, 2), ...ids.slice(0, 1), 'nobody', 'a/b'];
      expect([await list.restoreBounced({ ids: named }), await list.restoreBounced({ ids: named })]).toEqual([2, 0]);
      expect(await inState(store, 'subscribed')).toEqual(['p0@x0.io', 'p1@x1.io']);
      expect(await list.restoreBounced({ ids: [] })).toBe(0);
    });

    it('return once, if two admins say so at the same time', async () => {
      const { list, open } = await withBounced();
      const lists = [list, open().list, list];
      const restored = await Promise.all(lists.map((list) => list.restoreBounced({ count: 10, filter: EVERYONE })));
      expect(restored.reduce((sum, count) => sum + count)).toBe(4);
      expect(await list.counts()).toEqual(new Map([['subscribed', 4]]));
    });

    it('return to pending if they were never confirmed', async () => {
      const { list, store, first } = await withSignup({ confirm: true });
      await store.mails.recordOutcome(first, { state: 'failed', reason: '550', refusal: 'no-mailbox' });
      await store.mails.resend(ME);
      await store.mails.recordOutcome(await claimed(store), { state: 'failed', reason: '550', refusal: 'no-mailbox' });
      expect(await readStates(store)).toEqual({ [ME]: 'bounced' });
      expect([await list.restoreBounced({ count: 1, filter: EVERYONE }), await readStates(store)]).toEqual([
        1,
        { [ME]: 'pending' },
      ]);
    });
  });

  it('a person whose last message no longer applies gets the welcome email if the admin sends again', async () => {
    const { first, list, store, messages } = await withSignup({ confirm: true });
    await list.confirm(linkHash(first), null);
    expect(await store.mails.resend(ME)).toBe('queued');
    expect((await deliver(store)).kind).toBe('welcome');
    expect(await messages()).toContainEqual(expect.objectContaining({ state: 'sent' }));
  });

  describe('an invite wave', () => {
    it('invites the people who have waited longest and match, each once', async () => {
      const { list, store } = await withPeople(6);
      const odd = { ...EVERYONE, source: 'odd' };
      const first = await wave(store, { after: null, who: { count: 2, filter: odd } });
      expect(first).toMatchObject({ people: 2, queued: 2, sent: 0, failed: 0, joined: 0 });
      expect(await inState(store, 'invited')).toEqual(['p1@x1.io', 'p3@x3.io']);
      for (const after of [null, '7']) {
        expect(await list.invite({ after, who: { count: 2, filter: EVERYONE } })).toBe('outdated');
      }
      const ids = (await everyone(store)).map(({ id }) => id);
      const second = await wave(store, { after: first.id, who: { ids: [...ids.slice(0, 2), 'nobody', 'a/b'] } });
      expect(second.people).toBe(1);
      expect(await inState(store, 'invited')).toHaveLength(3);
      for (const none of [ids.slice(0, 2), ['nobody'], []]) {
        expect(await list.invite({ after: second.id, who: { ids: none } })).toBe('nobody');
      }
      expect((await list.waves(5)).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(await list.counts()).toEqual(
        new Map([
          ['subscribed', 3],
          ['invited', 3],
        ]),
      );
    });

    it('invites exactly as many as asked for, if it is started 20 times at once in two processes', async () => {
      const { list, store, open } = await withPeople(130);
      const lists = [list, open().list];
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          lists[n % 2]?.invite({ after: null, who: { count: 100, filter: EVERYONE } }),
        ),
      );
      expect(results.filter((result) => result !== 'outdated')).toMatchObject([{ people: 100 }]);
      expect(await inState(store, 'invited')).toHaveLength(100);
      const emails: string[] = [];
      for (let message = await claim(store); message !== null; message = await claim(store)) emails.push(message.email);
      expect([emails.length, new Set(emails).size]).toEqual([100, 100]);
    });

    it('invites a person once who is named twice', async () => {
      const { store } = await withPeople(1);
      const [{ id = '' } = {}] = await everyone(store);
      expect(await wave(store, { after: null, who: { ids: [id, id] } })).toMatchObject({ people: 1, queued: 1 });
      expect([(await deliver(store)).kind, await claim(store)]).toEqual(['invite', null]);
    });

    it('leaves alone the email that a person still waits for', async () => {
      const { store } = await withPeople(1, { welcome: true });
      await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
      const kinds = [(await deliver(store)).kind, (await deliver(store)).kind];
      expect([kinds.toSorted(), await claim(store)]).toEqual([['invite', 'welcome'], null]);
    });

    it('is taken back for those whose email no one has tried to send', async () => {
      const { list, store } = await withPeople(3);
      const { id } = await wave(store, { after: null, who: { count: 3, filter: EVERYONE } });
      await store.mails.recordOutcome(await claimed(store), { state: 'queued', retryAt: NOW, reason: '451' });
      expect([await list.withdraw(id), await list.withdraw(id)]).toEqual([2, 0]);
      for (const unknown of ['nothing', '99', `${id}/x`, `x/${id}`, `${id}x`, `x${id}`]) {
        expect(await list.withdraw(unknown)).toBe(0);
      }
      expect(await list.waves(1)).toMatchObject([{ id, people: 1, queued: 1 }]);
      expect((await inState(store, 'subscribed')).length).toBe(2);
      expect([(await deliver(store)).kind, await claim(store)]).toEqual(['invite', null]);
      expect((await wave(store, { after: id, who: { count: 5, filter: EVERYONE } })).people).toBe(2);
    });

    it('counts what could not be sent', async () => {
      const { list, store } = await withPeople(3);
      await wave(store, { after: null, who: { count: 3, filter: EVERYONE } });
      await store.mails.recordOutcome(await claimed(store), { state: 'failed', reason: '500' });
      await store.mails.recordOutcome(await claimed(store), { state: 'unknown', reason: 'cut off' });
      expect(await list.waves(1)).toMatchObject([{ people: 3, queued: 1, sent: 0, failed: 2 }]);
    });

    it('leaves the message before it as the last one if it is taken back', async () => {
      const { first, list, store } = await withSignup();
      const { id } = await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
      const mail = async () => (await everyone(store))[0]?.mail;
      expect(await mail()).toMatchObject({ state: 'queued' });
      expect([await list.withdraw(id), await mail()]).toEqual([1, expect.objectContaining({ state: 'sent' })]);
      const second = await wave(store, { after: id, who: { count: 1, filter: EVERYONE } });
      const invite = await deliver(store);
      await list.redeemInvite(linkHash(invite));
      expect(await list.waves(5)).toMatchObject([
        { id: second.id, people: 1, sent: 1, joined: 1 },
        { id, people: 0, joined: 0 },
      ]);
      expect(await list.unsubscribe(unsubscribeHash(first))).toBe('unsubscribed');
    });

    it('is either sent to a person or taken back, if both happen at once in two processes', async () => {
      const { list, store, open } = await withPeople(12);
      const { id } = await wave(store, { after: null, who: { count: 12, filter: EVERYONE } });
      const stores = [store, open()];
      const claims = Array.from({ length: 6 }, (_, n) => claim(stores[n % 2] ?? store));
      const withdrawn = await list.withdraw(id);
      const claimedEmails = (await Promise.all(claims)).flatMap((message) => message?.email ?? []);
      expect(await claim(store)).toBeNull();
      expect((await inState(store, 'invited')).toSorted()).toEqual(claimedEmails.toSorted());
      expect(await list.waves(1)).toMatchObject([{ id, people: 12 - withdrawn, queued: claimedEmails.length }]);
    });

    it('gives a link that is redeemed once, by one of 50 callers', async () => {
      const { list, store, open } = await withPeople(1);
      const { id } = await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
      const invite = await deliver(store);
      expect([await list.checkInvite(hashToken('nothing')), await list.checkInvite(linkHash(invite))]).toEqual([
        'unknown',
        'valid',
      ]);
      const lists = [list, open().list];
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, n) => lists[n % 2]?.redeemInvite(linkHash(invite))),
      );
      const [person] = await everyone(store);
      expect(results.filter((result) => result?.result === 'redeemed')).toEqual([
        { result: 'redeemed', email: 'p0@x0.io', id: person?.id },
      ]);
      expect(results.filter((result) => result?.result === 'used')).toHaveLength(49);
      expect([person?.state, await list.checkInvite(linkHash(invite))]).toEqual(['joined', 'used']);
      expect(await list.waves(1)).toMatchObject([{ id, sent: 1, joined: 1 }]);
    });

    it('gives a link that expires, and a new one when it is sent again', async () => {
      const { list, store, clock } = await withPeople(1);
      await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
      const invite = await deliver(store);
      clock.now += INVITE_LINK_MS;
      expect([await list.checkInvite(linkHash(invite)), await list.redeemInvite(linkHash(invite))]).toEqual([
        'expired',
        { result: 'expired' },
      ]);
      expect(await store.mails.resend('p0@x0.io')).toBe('queued');
      const again = await deliver(store);
      expect(await list.redeemInvite(linkHash(again))).toMatchObject({ result: 'redeemed' });
    });

    it('admits the address that was invited, as its link would, until the latest link expires', async () => {
      const { list, store, open, clock } = await withPeople(3);
      const outsiders = async () => [await list.admit('nobody@x0.io'), await list.admit('p0@x0.io')];
      expect(await outsiders()).toEqual([{ result: 'unknown' }, { result: 'unknown' }]);
      const { id } = await wave(store, { after: null, who: { count: 2, filter: EVERYONE } });
      const [first, second] = [await deliver(store), await deliver(store)];
      const lists = [list, open().list];
      const results = await Promise.all(Array.from({ length: 4 }, (_, n) => lists[n % 2]?.admit(first.email)));
      const [person] = (await everyone(store)).filter(({ email }) => email === first.email);
      expect(results).toEqual(Array(4).fill({ result: 'admitted', id: person?.id }));
      expect([person?.state, await list.checkInvite(linkHash(first))]).toEqual(['joined', 'used']);
      expect(await list.waves(1)).toMatchObject([{ id, sent: 2, joined: 1 }]);
      clock.now += INVITE_LINK_MS;
      expect(await list.admit(second.email)).toEqual({ result: 'expired' });
      // People who have joined may create another account.
      expect(await list.admit(first.email)).toMatchObject({ result: 'admitted' });
      expect(await store.mails.resend(second.email)).toBe('queued');
      await deliver(store);
      expect(await list.admit(second.email)).toMatchObject({ result: 'admitted' });
      await list.unsubscribe(unsubscribeHash(first));
      expect(await list.admit(first.email)).toEqual({ result: 'gone' });
    });

    it('admits a person whose email is not sent yet', async () => {
      const { list, store } = await withPeople(1);
      await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
      expect(await list.admit('p0@x0.io')).toMatchObject({ result: 'admitted' });
      expect(await inState(store, 'joined')).toEqual(['p0@x0.io']);
    });

    it('does not hold for a person who unsubscribes', async () => {
      const { list, store } = await withPeople(1);
      await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
      const invite = await deliver(store);
      await list.unsubscribe(unsubscribeHash(invite));
      expect(await list.redeemInvite(linkHash(invite))).toEqual({ result: 'gone' });
    });
  });

  it('tells endpoints of each step that concerns them, once', async () => {
    const { store } = await setUp({ confirm: true });
    const { list } = store;
    const webhook = { url: 'https://hooks.example.com/', secret: 'whsec_c2VjcmV0', format: 'json' } as const;
    const { id } = await store.webhooks.add({ ...webhook, events: EVENT_TYPES });
    const types = async () => (await store.webhooks.deliveries(id, 10)).map(({ event }) => event.type).toSorted();
    await store.createSignup(exampleSignup({ email: ME }));
    const confirmation = await deliver(store);
    for (let turn = 0; turn < 2; turn += 1) await list.confirm(linkHash(confirmation), null);
    await wave(store, { after: null, who: { count: 1, filter: EVERYONE } });
    const invite = await deliver(store);
    for (let turn = 0; turn < 2; turn += 1) await list.redeemInvite(linkHash(invite));
    for (let turn = 0; turn < 2; turn += 1) await list.unsubscribe(unsubscribeHash(invite));
    const events = ['invite.redeemed', 'signup.confirmed', 'signup.created', 'signup.unsubscribed'];
    expect(await types()).toEqual(events);
  });

  it('imports people with their time and state, and leaves alone who is on the list', async () => {
    const { store, list, first } = await withSignup();
    await list.unsubscribe(unsubscribeHash(first));
    const person = { source: 'import', created_at: NOW - DAY_MS };
    const imported = [
      { ...person, email: 'a@x.io', state: 'subscribed', fields: EXAMPLE_FIELDS },
      { ...person, email: 'b@x.io', state: 'pending' },
      { ...person, email: 'c@x.io', state: 'joined' },
      { ...person, email: 'd@x.io', state: 'unsubscribed', unsubscribed_at: null },
      { ...person, email: 'e@x.io', state: 'bounced' },
      { ...person, email: ME, state: 'subscribed' },
    ] as const;
    const results = [...Array(5).fill('added'), 'duplicate'];
    const twice = [...imported.slice(0, 5), imported[0]];
    expect(await list.importPeople(twice, { welcome: true })).toEqual(results);
    expect(await list.importPeople(imported, { welcome: true })).toEqual(Array(6).fill('duplicate'));
    expect(await readStates(store)).toEqual({
      'a@x.io': 'subscribed',
      'b@x.io': 'pending',
      'c@x.io': 'joined',
      'd@x.io': 'unsubscribed',
      'e@x.io': 'bounced',
      [ME]: 'unsubscribed',
    });
    const all = await everyone(store);
    const [a, b] = ['a@x.io', 'b@x.io'].map((email) => all.find((found) => found.email === email));
    expect([a?.created_at, a?.fields]).toEqual([NOW - DAY_MS, EXAMPLE_FIELDS]);
    expect(b).not.toHaveProperty('fields');
    const kinds = [await deliver(store), await deliver(store)].map(({ email, kind }) => `${kind} ${email}`);
    expect([kinds.toSorted(), await claim(store)]).toEqual([['confirmation b@x.io', 'welcome a@x.io'], null]);
    // An opt-out applies here as well.
    await store.createSignup(exampleSignup({ email: 'd@x.io' }));
    expect(await readStates(store)).toMatchObject({ 'd@x.io': 'pending' });
  });
}

async function inState(store: Store, state: PersonState): Promise<string[]> {
  return (await everyone(store)).filter((person) => person.state === state).map(({ email }) => email);
}

async function wave({ list }: Store, request: Parameters<Store['list']['invite']>[0]): Promise<InviteWave> {
  const result = await list.invite(request);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

async function queued(store: Store): Promise<number> {
  return (await store.mails.counts()).get('queued') ?? 0;
}
