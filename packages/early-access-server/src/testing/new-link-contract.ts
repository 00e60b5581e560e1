import { describe, expect, it } from 'vitest';
import { hashToken, toUnsubscribeToken } from '../app/access/secrets.ts';
import { MAILBOX_MS, MAILS_PER_MAILBOX_AND_DAY } from '../app/mail/mail-quota.ts';
import { INVITE_LINK_MS, listNewLinks, NEW_LINK_PAGES } from '../app/mail/message-kinds.ts';
import { exampleSignup } from './examples.ts';
import { claim, deliver, findId, linkHash, type SetUp } from './harness.ts';

const ME = 'ada@example.org';

/** Tests the emails that people request because their link has lost its token. */
export function newLinkContract(setUp: SetUp): void {
  async function withPerson({ confirm = false } = {}) {
    const harness = await setUp({ confirm, mailsPerHour: 10_000 });
    const { store, clock } = harness;
    await store.createSignup(exampleSignup({ email: ME }));
    const next = async () => {
      const message = await deliver(store);
      clock.now += 1_000;
      return message;
    };
    const first = await next();
    const id = await findId(store, ME);
    const ask = (page: (typeof NEW_LINK_PAGES)[number], statusPage = true) =>
      store.list.requestLink(ME, listNewLinks(page, statusPage));
    return { ...harness, list: store.list, first, id, next, ask };
  }

  describe('a new link', () => {
    it('confirms a pending person, who gets one at a time', async () => {
      const { store, list, first, ask, next } = await withPerson({ confirm: true });
      expect([await ask('confirm', false), await ask('confirm'), await ask('status')]).toEqual([true, false, false]);
      const second = await next();
      expect([second.kind, await claim(store)]).toEqual(['confirmation', null]);
      expect(await list.confirm(linkHash(second), null)).toBe('confirmed');
      expect(await list.confirm(linkHash(first), null)).toBe('already-confirmed');
      expect([await ask('confirm', false), await claim(store)]).toEqual([false, null]);
    });

    it('is asked for by several requests at once, and queued once', async () => {
      const { store, ask, next } = await withPerson({ confirm: true });
      expect((await Promise.all([1, 2, 3].map(() => ask('confirm')))).filter(Boolean)).toHaveLength(1);
      await next();
      expect(await claim(store)).toBeNull();
    });

    it('opens the status page of a person who is on the list, and is not their last email', async () => {
      const { store, list, id, ask, next } = await withPerson();
      const before = await store.people.find(id);
      expect(await ask('status')).toBe(true);
      const { kind, tokens } = await next();
      expect([kind, tokens.link]).toEqual(['status', null]);
      expect(await list.findOwner(hashToken(toUnsubscribeToken(tokens.status ?? '')), 'unsubscribe')).toBe(id);
      const after = await store.people.find(id);
      expect([after?.mail, after?.resends]).toEqual([before?.mail, before?.resends]);
      expect(after?.timeline.at(-1)?.email).toMatchObject({ kind: 'status', state: 'sent' });
      await store.mails.resend(ME);
      expect((await next()).kind).toBe('welcome');
    });

    it('invites again a person who has not joined, even after the invitation has expired, and works once', async () => {
      const { store, list, id, clock, ask, next } = await withPerson();
      await list.invite({ after: null, who: { ids: [id] } });
      expect(await ask('invite')).toBe(false);
      const first = await next();
      clock.now += INVITE_LINK_MS;
      expect(await list.checkInvite(linkHash(first))).toBe('expired');
      expect(await ask('invite', false)).toBe(true);
      const second = await next();
      expect([second.kind, (await list.redeemInvite(linkHash(second))).result]).toEqual(['invite', 'redeemed']);
      expect(await list.checkInvite(linkHash(first))).toBe('used');
      expect([await ask('invite', false), await claim(store)]).toEqual([false, null]);
      expect(await list.waves(1)).toMatchObject([{ people: 1, sent: 1, joined: 1 }]);
    });

    it('is sent to no one who has unsubscribed, whose address bounced, or who is not on the list', async () => {
      for (const event of ['unsubscribe', 'bounce'] as const) {
        const { store, list, ask } = await withPerson();
        await list.changePerson(ME, event, 'admin');
        for (const page of NEW_LINK_PAGES) expect(await ask(page)).toBe(false);
        expect(await list.requestLink('bob@example.org', listNewLinks('status', true))).toBe(false);
        expect(await claim(store)).toBeNull();
      }
    });

    it('is dropped if the person unsubscribes before it is sent', async () => {
      const { store, list, ask } = await withPerson();
      expect(await ask('status')).toBe(true);
      await list.changePerson(ME, 'unsubscribe', 'person');
      expect(await claim(store)).toBeNull();
    });

    it('counts for the mailbox, which gets no more than its emails of a day', async () => {
      const { store, clock, first, ask, next } = await withPerson();
      for (let sent = 1; sent < MAILS_PER_MAILBOX_AND_DAY; sent += 1) {
        expect(await ask('status')).toBe(true);
        await next();
      }
      expect([await ask('status'), await claim(store), await ask('status')]).toEqual([true, null, false]);
      clock.now += MAILBOX_MS;
      const { kind, messageKey } = await next();
      expect([kind, messageKey === first.messageKey]).toEqual(['status', false]);
    });
  });
}
