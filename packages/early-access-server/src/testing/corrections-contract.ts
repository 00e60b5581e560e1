import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { PENDING_MS } from '../app/lifecycle/states.ts';
import { CONFIRM_LINK_MS } from '../app/mail/message-kinds.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { Store } from '../app/ports/store.ts';
import { EVENT_TYPES } from '../app/webhooks/events.ts';
import { EXAMPLE_FIELDS, exampleSignup } from './examples.ts';
import { claim, claimed, deliver, findId, linkHash, NOW, readStates, type SetUp, unsubscribeHash } from './harness.ts';

const [OLD, NEW, OTHER] = ['ada@exmaple.org', 'ada@example.org', 'eve@example.org'];

/** Tests an admin's changes to one person, and that person's timeline. */
export function correctionsContract(setUp: SetUp): void {
  /** A person whose first email has been sent. */
  async function withPerson({ confirm = false } = {}) {
    const harness = await setUp({ confirm, mailsPerHour: 10_000 });
    const { store, clock } = harness;
    const signup = exampleSignup({ email: OLD, fields: EXAMPLE_FIELDS });
    await store.createSignup(signup);
    clock.now += 1_000;
    const first = await deliver(store);
    const id = await findId(store, OLD);
    return { ...harness, list: store.list, signup, first, id };
  }

  describe('a correction of an address', () => {
    it('holds once the owner of the new address has opened its link', async () => {
      const { store, list, id, signup, first } = await withPerson();
      const before = await store.people.find(id);
      expect(await list.correctAddress(id, NEW)).toBe('queued');
      const asked = await store.people.find(id);
      expect(asked).toMatchObject({ email: OLD, state: 'subscribed', new_email: NEW, mail: before?.mail });
      expect(await store.createSignup(exampleSignup({ email: OLD }))).toBe('duplicate');
      const message = await deliver(store);
      expect(message).toMatchObject({ kind: 'correction', email: NEW, fields: {} });
      expect([message.tokens.unsubscribe, await claim(store)]).toEqual([null, null]);
      expect(await list.confirm(linkHash(message), 'another-submission')).toBe('other-browser');
      const results = await Promise.all([1, 2, 3].map(() => list.confirm(linkHash(message), null)));
      expect(results.toSorted()).toEqual(['already-confirmed', 'already-confirmed', 'confirmed']);
      const after = await store.people.find(id);
      const { timeline, ...same } = before ?? { timeline: [] };
      expect(after).toEqual({ ...same, email: NEW, timeline: expect.any(Array) });
      expect(timeline.length).toBeLessThan(after?.timeline.length ?? 0);
      expect(await list.renewConfirmation(linkHash(message))).toBe('not-pending');
      expect(await store.createSignup(exampleSignup({ email: NEW }))).toBe('duplicate');
      expect(await store.createSignup({ ...signup, email: NEW })).toBe('created');
      expect(await readStates(store)).toEqual({ [NEW]: 'subscribed' });
      expect(await list.unsubscribe(unsubscribeHash(first))).toBe('unsubscribed');
      expect(await readStates(store)).toEqual({ [NEW]: 'unsubscribed' });
    });

    it('leaves the old address free, and what waits for the person goes to the new one', async () => {
      const { store, list, id } = await withPerson();
      await list.correctAddress(id, NEW);
      await list.confirm(linkHash(await deliver(store)), null);
      expect(await store.mails.resend(NEW)).toBe('queued');
      expect(await store.createSignup(exampleSignup({ email: OLD }))).toBe('created');
      const sent = [await deliver(store), await deliver(store)].map(({ kind, email }) => `${kind} ${email}`);
      expect(sent.toSorted()).toEqual([`welcome ${NEW}`, `welcome ${OLD}`].toSorted());
      expect(await store.people.count({ ...EVERYONE, search: 'example' })).toEqual({ count: 1, is_partial: false });
      expect((await search(store, 'exmaple')).length).toBe(1);
      expect((await search(store, 'ada@example')).map((person) => person.id)).toEqual([id]);
    });

    it('confirms a person who was pending, and tells endpoints of it', async () => {
      const { store, list, id, first } = await withPerson({ confirm: true });
      const webhook = { url: 'https://hooks.example.com/', secret: 'whsec_c2VjcmV0', format: 'json' } as const;
      const { id: webhookId } = await store.webhooks.add({ ...webhook, events: EVENT_TYPES });
      await list.correctAddress(id, NEW);
      await list.confirm(linkHash(await deliver(store)), null);
      expect(await store.people.find(id)).toMatchObject({ state: 'subscribed', confirmed_by: 'correction' });
      expect(await list.confirm(linkHash(first), null)).toBe('already-confirmed');
      const deliveries = await store.webhooks.deliveries(webhookId, 10);
      expect(deliveries.map(({ event }) => event.type)).toEqual(['signup.confirmed']);
    });

    it('does not keep the old address from being confirmed', async () => {
      const { store, list, id, first } = await withPerson({ confirm: true });
      await list.correctAddress(id, NEW);
      const message = await deliver(store);
      expect(await list.confirm(linkHash(first), null)).toBe('confirmed');
      expect(await store.people.find(id)).toMatchObject({ email: OLD, new_email: NEW, confirmed_by: 'confirmation' });
      expect(await list.confirm(linkHash(message), null)).toBe('confirmed');
      expect(await store.people.find(id)).toMatchObject({ email: NEW, new_email: null, confirmed_by: 'confirmation' });
    });

    it('returns a person whose address bounced to their state before', async () => {
      for (const confirm of [false, true]) {
        const { store, list, id } = await withPerson({ confirm });
        await list.changePerson(OLD, 'bounce', 'mail-server');
        await list.correctAddress(id, NEW);
        await list.confirm(linkHash(await deliver(store)), null);
        expect(await store.people.find(id)).toMatchObject({ email: NEW, state: 'subscribed', bounced_at: null });
      }
    });

    it('says nothing about the person if it bounces, and is not sent again in place of their last email', async () => {
      const { store, list, id } = await withPerson();
      await list.correctAddress(id, NEW);
      const outcome = { state: 'failed', reason: '550', refusal: 'no-mailbox' } as const;
      await store.mails.recordOutcome(await claimed(store), outcome);
      expect(await store.people.find(id)).toMatchObject({ state: 'subscribed', mail: { kind: 'welcome' } });
      expect(await store.mails.resend(OLD)).toBe('queued');
      expect([(await deliver(store)).kind, await claim(store)]).toEqual(['welcome', null]);
    });

    it('is refused for people who left or are gone, and to addresses on the list', async () => {
      const { store, list, id, first } = await withPerson();
      await store.createSignup(exampleSignup({ email: OTHER }));
      const other = await deliver(store);
      const ask = (email: string) => list.correctAddress(id, email);
      expect([await ask(OLD), await ask(OTHER)]).toEqual(['on-list', 'on-list']);
      await list.unsubscribe(unsubscribeHash(other));
      expect([await ask(OTHER), await list.correctAddress('nobody', NEW)]).toEqual(['on-list', 'gone']);
      await list.unsubscribe(unsubscribeHash(first));
      expect(await ask(NEW)).toBe('unsubscribed');
      await store.erase(OLD);
      expect([await ask(NEW), await claim(store)]).toEqual(['gone', null]);
    });

    it('ends if the person unsubscribes meanwhile', async () => {
      for (const isSent of [false, true]) {
        const { store, list, id, first } = await withPerson();
        await list.correctAddress(id, NEW);
        const message = isSent ? await deliver(store) : null;
        await list.unsubscribe(unsubscribeHash(first));
        expect(await store.people.find(id)).toMatchObject({ email: OLD, state: 'unsubscribed', new_email: null });
        if (message) expect(await list.confirm(linkHash(message), null)).toBe('unknown');
        expect([await claim(store), await readStates(store)]).toEqual([null, { [OLD]: 'unsubscribed' }]);
      }
    });

    it('replaces the one before, whose link no longer works', async () => {
      const { store, list, id } = await withPerson();
      await list.correctAddress(id, OTHER);
      const wrong = await deliver(store);
      await list.correctAddress(id, NEW);
      const message = await deliver(store);
      expect(await list.confirm(linkHash(wrong), null)).toBe('unknown');
      expect(await list.renewConfirmation(linkHash(wrong))).toBe('unknown');
      expect(await list.confirm(linkHash(message), null)).toBe('confirmed');
      expect(await readStates(store)).toEqual({ [NEW]: 'subscribed' });
    });

    it('gets a new link for one that has expired, and is dropped in the end', async () => {
      const { store, list, id, clock } = await withPerson();
      await list.correctAddress(id, NEW);
      const message = await deliver(store);
      clock.now += CONFIRM_LINK_MS;
      expect(await list.confirm(linkHash(message), null)).toBe('expired');
      expect(await list.renewConfirmation(linkHash(message))).toBe('queued');
      const second = await deliver(store);
      expect([second.kind, second.email, await claim(store)]).toEqual(['correction', NEW, null]);
      clock.now += PENDING_MS;
      await list.tidyPending(10);
      expect(await store.people.find(id)).toMatchObject({ email: OLD, new_email: null });
      expect(await list.renewConfirmation(linkHash(second))).toBe('queued');
      expect(await claim(store)).toBeNull();
    });

    it('gives an address to one person only, also if others take it at the same time', async () => {
      const { store, open, list, id } = await withPerson();
      await store.createSignup(exampleSignup({ email: OTHER }));
      await deliver(store);
      const otherId = await findId(store, OTHER);
      await Promise.all([list.correctAddress(id, NEW), open().list.correctAddress(otherId, NEW)]);
      const messages = [await deliver(store), await deliver(store)];
      const lists = [list, open().list];
      const [signedUp, ...confirmed] = await Promise.all([
        open().createSignup(exampleSignup({ email: NEW })),
        ...messages.map((message, index) => lists[index]?.confirm(linkHash(message), null)),
      ]);
      const winners = [signedUp === 'created', ...confirmed.map((result) => result === 'confirmed')];
      expect(winners.filter((won) => won)).toHaveLength(1);
      const emails = Object.keys(await readStates(store));
      expect([emails.length, new Set(emails).size, emails.includes(NEW)]).toEqual([
        signedUp === 'created' ? 3 : 2,
        emails.length,
        true,
      ]);
    });

    it('is erased with either person, and with the person after it held', async () => {
      const { store, list, id, messages } = await withPerson();
      await list.correctAddress(id, NEW);
      const wrong = await deliver(store);
      expect((await store.erase(NEW)).erased?.messageKeys).toEqual([wrong.messageKey]);
      expect(await store.erase(NEW)).toMatchObject({ erased: null });
      expect(await store.people.find(id)).toMatchObject({ email: OLD, new_email: null });
      expect(await list.confirm(linkHash(wrong), null)).toBe('unknown');
      await list.correctAddress(id, NEW);
      const open = await deliver(store);
      expect((await store.erase(OLD)).erased).toMatchObject({ newEmail: NEW });
      expect([await list.confirm(linkHash(open), null), await messages()]).toEqual(['unknown', []]);
      await store.createSignup(exampleSignup({ email: OLD }));
      await deliver(store);
      await list.correctAddress(await findId(store, OLD), NEW);
      await list.confirm(linkHash(await deliver(store)), null);
      expect((await store.erase(OLD)).erased).toBeNull();
      expect((await store.erase(NEW)).erased).toMatchObject({ newEmail: null });
      expect([await messages(), await readStates(store)]).toEqual([[], {}]);
    });
  });

  it('an admin unsubscribes a person, who gets nothing more and comes back only by confirming', async () => {
    const { store, list } = await withPerson();
    await store.mails.resend(OLD);
    await list.changePerson(OLD, 'unsubscribe', 'admin');
    expect([await readStates(store), await claim(store)]).toEqual([{ [OLD]: 'unsubscribed' }, null]);
    expect(await store.createSignup(exampleSignup({ email: OLD }))).toBe('created');
    expect(await readStates(store)).toEqual({ [OLD]: 'pending' });
  });

  describe('the timeline of a person', () => {
    it('has each email with its outcome, and each change with its cause, in their order', async () => {
      const { store, list, id, clock, first } = await withPerson({ confirm: true });
      const later = <T>(result: T): T => {
        clock.now += 1_000;
        return result;
      };
      later(null);
      later(await list.confirm(linkHash(first), null));
      later(await list.invite({ after: null, who: { ids: [id] } }));
      const invite = later(await deliver(store));
      later(await list.redeemInvite(linkHash(invite)));
      later(await list.correctAddress(id, NEW));
      later(await list.confirm(linkHash(await deliver(store)), null));
      const draft = { subject: 'We are live', body: 'Hello', audience: { states: ['joined'], source: null } } as const;
      const campaign = await store.campaigns.create(draft);
      await store.campaigns.change(campaign.id, 'sending');
      await store.campaigns.feed();
      const launch = await claimed(store);
      await store.mails.recordOutcome(launch, { state: 'failed', reason: '552 too large' });
      later(null);
      later(await list.unsubscribe(unsubscribeHash(launch)));
      const timeline = (await store.people.find(id))?.timeline ?? [];
      expect(timeline.map(({ event, by, email }) => [event, email?.kind ?? by])).toEqual([
        ['signup', null],
        ['email', 'confirmation'],
        ['confirm', 'confirmation'],
        ['invite', 'admin'],
        ['email', 'invite'],
        ['redeem', 'invite'],
        ['ask-correction', 'admin'],
        ['correct', 'correction'],
        ['email', 'campaign'],
        ['unsubscribe', 'campaign'],
      ]);
      expect(timeline.flatMap(({ email }) => email ?? [])).toEqual([
        { kind: 'confirmation', state: 'sent', reason: null, subject: null },
        { kind: 'invite', state: 'sent', reason: null, subject: null },
        { kind: 'campaign', state: 'failed', reason: '552 too large', subject: 'We are live' },
      ]);
      expect(timeline[0]).toEqual({ at: NOW, event: 'signup', by: null, email: null });
      expect(JSON.stringify(timeline)).not.toContain('@');
    });

    it('continues with a new signup of a person who left', async () => {
      const { store, list, id, clock } = await withPerson();
      await list.changePerson(OLD, 'unsubscribe', 'admin');
      clock.now += DAY_MS;
      await store.createSignup(exampleSignup({ email: OLD }));
      const confirmation = await deliver(store);
      clock.now += 1;
      await list.confirm(linkHash(confirmation), null);
      expect(await events(store, id)).toEqual([
        'signup null',
        'unsubscribe admin',
        'email null',
        'signup null',
        'email null',
        'confirm confirmation',
      ]);
    });

    it('has what a file says, and that an admin added the person', async () => {
      const { store } = await setUp({ confirm: true });
      const { list } = store;
      const person = { source: 'file', state: 'joined', confirmed_by: 'reminder' } as const;
      const times = { created_at: NOW - 5, confirmed_at: NOW - 4, invited_at: NOW - 3, joined_at: NOW - 2 };
      await list.importPeople([{ ...person, ...times, email: OLD }], { welcome: false });
      const byHand = { email: NEW, source: 'admin', state: 'pending', created_at: NOW } as const;
      const consent = { consent_text: 'Asked me at the fair.' };
      await list.importPeople([{ ...byHand, ...consent }], { welcome: true, isByHand: true });
      const ids = [await findId(store, OLD), await findId(store, NEW)] as const;
      expect(await store.people.find(ids[0])).toMatchObject({ confirmed_by: 'reminder' });
      expect(await events(store, ids[0])).toEqual([
        'signup null',
        'confirm null',
        'invite null',
        'redeem null',
        'add import',
      ]);
      expect(await store.people.find(ids[1])).toMatchObject({ state: 'pending', ...consent });
      expect(await events(store, ids[1])).toEqual(['add admin', 'email null']);
      expect(await deliver(store)).toMatchObject({ kind: 'confirmation', email: NEW });
    });
  });
}

async function search({ people }: Store, part: string) {
  return (await people.list({ ...EVERYONE, search: part, sort: 'newest', limit: 10, after: null })).people;
}

async function events({ people }: Store, id: string): Promise<readonly string[]> {
  return (await people.find(id))?.timeline.map(({ event, by }) => `${event} ${by}`) ?? [];
}
