import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../app/access/secrets.ts';
import type { Campaign, CampaignContent } from '../app/campaigns/campaign.ts';
import type { PersonState } from '../app/lifecycle/states.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { ClaimedMessage, Store } from '../app/ports/store.ts';
import { claim, claimed, deliverAll, findId, linkHash, NOW, type SetUp, unsubscribeHash } from './harness.ts';

const CONTENT: CampaignContent = {
  subject: 'We are live',
  body: '# Hello',
  audience: { states: ['subscribed', 'invited', 'joined'], source: null },
};
const AT = { at: NOW + HOUR_MS, zone: 'Europe/Berlin' };
const REPORT = { isComplaint: true, messageKey: null };

/** Tests scheduled campaigns, follow-ups, and people's reactions to a campaign. */
export function campaignScheduleContract(setUp: SetUp): void {
  async function withPeople(people: readonly string[] = [], state: PersonState = 'subscribed') {
    const harness = await setUp({ mailsPerHour: 100_000 });
    const { campaigns, list } = harness.store;
    const add = (emails: readonly string[], invited_at: number | null = null) =>
      list.importPeople(
        emails.map((email) => ({ email, source: 'fair', created_at: NOW - DAY_MS, state, invited_at })),
        { welcome: false },
      );
    if (people.length > 0) await add(people);
    /** Sends the started campaigns to everyone. Returns the messages. */
    const sendAll = async () => {
      const sent: ClaimedMessage[] = [];
      while ((await campaigns.feed()) > 0 || (await harness.store.mails.findNextDue()) !== null) {
        sent.push(...(await deliverAll(harness.store)));
      }
      await campaigns.feed();
      return sent;
    };
    const send = async () => {
      const { id } = await campaigns.create(CONTENT);
      await campaigns.change(id, 'sending');
      return { id, messages: await sendAll() };
    };
    /** Invites everyone who is waiting. Returns the token of each address. */
    const invite = async () => {
      const [after = null] = (await list.waves(1)).map(({ id }) => id);
      await list.invite({ after, who: { count: 100, filter: EVERYONE } });
      return new Map((await sendAll()).map(({ email, tokens }) => [email, linkHash({ tokens })]));
    };
    return { ...harness, campaigns, list, schedule: campaigns.schedule, add, sendAll, send, invite };
  }

  const followed = (store: Store, id: string, days: number): Promise<Campaign> =>
    store.campaigns.schedule.followUp(id, days).then((draft) => {
      if (draft === null) throw new Error('there is no follow-up');
      return draft;
    });

  describe('a scheduled campaign', () => {
    it('cannot be changed, started or deleted until it is a draft again', async () => {
      const { campaigns, schedule } = await withPeople(['a@x.io']);
      const { id } = await campaigns.create(CONTENT, { revision: 'a', replaces: [] });
      expect([await schedule.set(id, AT, 'other'), await schedule.set(id, null)]).toEqual([false, false]);
      expect([await schedule.set(id, AT, 'a'), await schedule.set(id, AT)]).toEqual([true, false]);
      expect(await campaigns.find(id)).toMatchObject({
        state: 'scheduled',
        scheduled_at: AT.at,
        time_zone: 'Europe/Berlin',
        started_at: null,
      });
      const edit = { revision: 'b', replaces: ['a'] };
      expect([await campaigns.save(id, CONTENT, edit), await campaigns.remove(id)]).toEqual([false, false]);
      for (const to of ['sending', 'paused', 'cancelled'] as const) expect(await campaigns.change(id, to)).toBe(false);
      expect(await campaigns.change(id, 'draft')).toBe(true);
      expect(await campaigns.find(id)).toMatchObject({ state: 'draft', scheduled_at: null, time_zone: null });
      expect(await campaigns.save(id, CONTENT, edit)).toBe(true);
      expect(await schedule.set('nothing', AT)).toBe(false);
    });

    it('starts at its time, once, also in two processes', async () => {
      const { campaigns, schedule, clock, open, sendAll } = await withPeople(['a@x.io', 'b@x.io']);
      const { id } = await campaigns.create(CONTENT);
      await schedule.set(id, AT);
      clock.now = AT.at - 1;
      expect([await schedule.startDue(), await campaigns.feed()]).toEqual([[], 0]);
      clock.now = AT.at;
      const processes = [schedule, open().campaigns.schedule, open().campaigns.schedule];
      const started = await Promise.all(processes.map((each) => each.startDue()));
      expect(started.flat()).toMatchObject([
        { id, state: 'sending', people: 2, started_at: AT.at, scheduled_at: AT.at, time_zone: 'Europe/Berlin' },
      ]);
      expect((await sendAll()).map(({ email }) => email).toSorted()).toEqual(['a@x.io', 'b@x.io']);
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', sent: 2, ended_at: AT.at });
      expect(await schedule.startDue()).toEqual([]);
    });

    it('starts as soon as a process runs after its time, and is continued by the next if that one ends', async () => {
      const { campaigns, schedule, clock, add, open } = await withPeople(['a@x.io']);
      const { id } = await campaigns.create(CONTENT);
      await schedule.set(id, AT);
      clock.now = AT.at + 3 * HOUR_MS;
      await add(['late@x.io']);
      expect(await schedule.startDue()).toMatchObject([{ id, scheduled_at: AT.at, started_at: clock.now, people: 2 }]);
      const next = open();
      expect([await next.campaigns.schedule.startDue(), await next.campaigns.feed()]).toEqual([[], 2]);
    });

    it('is either a draft or started after both were asked for at the same time', async () => {
      const { campaigns, schedule, clock, open } = await withPeople(['a@x.io']);
      clock.now = AT.at;
      const other = open().campaigns;
      for (let round = 0; round < 5; round += 1) {
        const { id } = await campaigns.create(CONTENT);
        await schedule.set(id, AT);
        const [started, isDraft] = await Promise.all([schedule.startDue(), other.change(id, 'draft')]);
        expect(await campaigns.find(id)).toMatchObject({ state: isDraft ? 'draft' : 'sending' });
        expect(started).toHaveLength(isDraft ? 0 : 1);
      }
    });
  });

  describe('a follow-up', () => {
    it('is made once for a campaign that was started, as a draft that can only be scheduled', async () => {
      const { store, campaigns, schedule, send } = await withPeople(['a@x.io']);
      const draft = await campaigns.create(CONTENT);
      expect([await schedule.followUp(draft.id, 3), await schedule.followUp('nothing', 3)]).toEqual([null, null]);
      const { id } = await send();
      const [first, again] = await Promise.all([followed(store, id, 3), followed(store, id, 3)]);
      expect(again).toMatchObject({ id: first.id });
      expect(await followed(store, id, 5)).toMatchObject({
        id: first.id,
        state: 'draft',
        follows: id,
        after_days: 5,
        audience: { states: ['invited'], source: null },
      });
      expect(await schedule.followUp(first.id, 3)).toBeNull();
      expect(await campaigns.save(first.id, CONTENT, { revision: 'a', replaces: [''] })).toBe(true);
      expect(await campaigns.find(first.id)).toMatchObject({ follows: id, after_days: 5 });
      expect([await campaigns.change(first.id, 'sending'), await schedule.set(first.id, AT)]).toEqual([false, false]);
      expect(await schedule.set(first.id, null)).toBe(true);
      expect(await schedule.followUp(id, 9)).toBeNull();
      expect([await campaigns.change(first.id, 'draft'), await campaigns.remove(first.id)]).toEqual([true, true]);
      expect((await followed(store, id, 7)).id).not.toBe(first.id);
    });

    it('goes only to people who got the first one, were invited and have not joined by then', async () => {
      const names = ['joins', 'waits', 'leaves', 'erased', 'bounces', 'failed', 'late-invite'];
      const { store, campaigns, list, schedule, clock, add, invite, sendAll } = await withPeople(
        names.slice(0, -1).map((name) => `${name}@${name}.io`),
      );
      const links = await invite();
      await add(['late-invite@late-invite.io']);
      const first = await campaigns.create(CONTENT);
      await campaigns.change(first.id, 'sending');
      await campaigns.feed();
      const tokens = new Map<string, string>();
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        const isFailed = message.email.startsWith('failed@');
        tokens.set(message.email, unsubscribeHash(message));
        await store.mails.recordOutcome(message, isFailed ? { state: 'failed', reason: '554' } : { state: 'sent' });
      }
      const { id } = await followed(store, first.id, 3);
      expect(await schedule.set(id, null)).toBe(true);
      clock.now += HOUR_MS;
      await campaigns.feed();
      const ended = clock.now;
      expect(await campaigns.find(first.id)).toMatchObject({ state: 'done', sent: 6, failed: 1, ended_at: ended });

      await add(['never@never.io'], NOW - DAY_MS);
      await list.unsubscribe(tokens.get('leaves@leaves.io') ?? '');
      await list.changePerson('bounces@bounces.io', 'bounce', 'mail-server');
      await store.erase('erased@erased.io');
      clock.now = ended + 2 * DAY_MS;
      await list.redeemInvite(links.get('joins@joins.io') ?? '');
      await invite();
      clock.now = ended + 3 * DAY_MS - 1;
      expect(await schedule.startDue()).toEqual([]);
      clock.now = ended + 3 * DAY_MS;
      expect(await schedule.startDue()).toMatchObject([
        { id, people: 1, scheduled_at: clock.now, started_at: clock.now },
      ]);
      const sent = await sendAll();
      expect(sent.map(({ email }) => email)).toEqual(['waits@waits.io']);
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', sent: 1 });
      expect(await campaigns.find(first.id)).toMatchObject({ sent: 6, failed: 1, unsubscribed: 1, joined: 1 });
    });

    it('starts at once, and not late, if its days have passed when it is scheduled', async () => {
      const { store, schedule, clock, invite, send } = await withPeople(['a@x.io']);
      await invite();
      const { id: first } = await send();
      clock.now += 30 * DAY_MS;
      const { id } = await followed(store, first, 3);
      await schedule.set(id, null);
      expect(await schedule.startDue()).toMatchObject([
        { id, people: 1, scheduled_at: clock.now, started_at: clock.now },
      ]);
    });

    it('waits while the first one is being sent, and leaves out people who join before their turn', async () => {
      const { store, campaigns, list, schedule, clock, invite, send, sendAll } = await withPeople(['a@x.io', 'b@y.io']);
      const links = await invite();
      const first = await campaigns.create(CONTENT);
      await campaigns.change(first.id, 'sending');
      const { id } = await followed(store, first.id, 1);
      await schedule.set(id, null);
      clock.now += 2 * DAY_MS;
      expect(await schedule.startDue()).toEqual([]);
      await sendAll();
      clock.now += DAY_MS;
      expect(await schedule.startDue()).toMatchObject([{ id, people: 2 }]);
      expect(await campaigns.feed()).toBe(2);
      await list.redeemInvite(links.get('a@x.io') ?? '');
      expect((await sendAll()).map(({ email }) => email)).toEqual(['b@y.io']);
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', sent: 1 });
      // A separate campaign, which also goes to people who have joined, is not deleted.
      expect((await send()).messages).toHaveLength(2);
    });
  });

  describe('the results of a campaign', () => {
    it('count a person once, by the link or report of that campaign, and remain after erasure', async () => {
      const { store, campaigns, list, clock, invite, send } = await withPeople([
        'a@x.io',
        'b@y.io',
        'c@z.io',
        'd@w.io',
        'e@v.io',
      ]);
      const links = await invite();
      const first = await send();
      clock.now += 1_000;
      const second = await send();
      const of = (messages: readonly ClaimedMessage[], email: string) => {
        const found = messages.find((message) => message.email === email);
        if (found === undefined) throw new Error(`${email} got no message`);
        return found;
      };
      const results = async () =>
        Promise.all(
          [first.id, second.id].map(async (id) => {
            const { unsubscribed, complained, joined, sent } = (await campaigns.find(id)) ?? {};
            return { sent, unsubscribed, complained, joined };
          }),
        );
      for (let turn = 0; turn < 2; turn += 1) {
        await list.unsubscribe(unsubscribeHash(of(first.messages, 'a@x.io')));
        await list.unsubscribe(unsubscribeHash(of(first.messages, 'e@v.io')), 'person');
        // They are already unsubscribed.
        await list.unsubscribe(unsubscribeHash(of(second.messages, 'a@x.io')));
        const { messageKey } = of(first.messages, 'b@y.io');
        await list.changePerson('b@y.io', 'unsubscribe', 'mail-server', { isComplaint: true, messageKey });
        await list.changePerson('c@z.io', 'unsubscribe', 'mail-server', REPORT);
        await list.redeemInvite(links.get('d@w.io') ?? '');
      }
      const expected = [
        { sent: 5, unsubscribed: 2, complained: 1, joined: 1 },
        { sent: 5, unsubscribed: 0, complained: 1, joined: 1 },
      ];
      expect(await results()).toEqual(expected);
      for (const email of ['a@x.io', 'b@y.io', 'c@z.io', 'd@w.io', 'e@v.io']) await store.erase(email);
      expect(await results()).toEqual(expected);
    });

    it('leave out what is about no campaign', async () => {
      const { campaigns, list, clock, send, invite } = await withPeople(['a@x.io', 'b@y.io', 'c@z.io', 'd@w.io']);
      const { id } = await send();
      clock.now += 1_000;
      const links = await invite();
      // The invitation is their last email, and the report with a key is about an unknown message.
      await list.changePerson('a@x.io', 'unsubscribe', 'mail-server', REPORT);
      await list.changePerson('b@y.io', 'unsubscribe', 'mail-server', { isComplaint: true, messageKey: 'another' });
      await list.changePerson('c@z.io', 'unsubscribe', 'admin');
      expect([...links.keys()]).toHaveLength(4);
      await list.changePerson('d@w.io', 'bounce', 'mail-server', { isComplaint: false, messageKey: null });
      expect(await campaigns.find(id)).toMatchObject({ unsubscribed: 0, complained: 0, joined: 0 });
    });

    it('with too many complaints are paused, and count anew once an admin resumes them', async () => {
      const { store, campaigns, list, clock, send, invite, open } = await withPeople(['a@x.io', 'b@y.io', 'c@z.io']);
      const since = clock.now - 7 * DAY_MS;
      await send();
      const links = await invite();
      expect(await store.mails.complaints()).toEqual({ since, emails: 3 + links.size, complaints: 0 });
      // Their last email is the invitation, whose reports count as well.
      for (let turn = 0; turn < 2; turn += 1) await list.changePerson('a@x.io', 'unsubscribe', 'mail-server', REPORT);
      expect(await store.mails.complaints()).toEqual({ since, emails: 6, complaints: 1 });
      const { id } = await campaigns.create(CONTENT);
      const draft = await campaigns.create(CONTENT);
      await campaigns.change(id, 'sending');
      clock.now += 1_000;
      // Even if several processes notice it, the admins get one notice.
      const notice = { type: 'campaigns-paused', since, emails: 6, complaints: 1 } as const;
      const stopped = await Promise.all(
        [campaigns, open().campaigns, campaigns].map((each) =>
          each.stop(['ada@acme.example', 'bob@acme.example'], notice),
        ),
      );
      expect(stopped.toSorted()).toEqual([0, 0, 1]);
      const told = [await claimed(store), await claimed(store)];
      expect(told.map(({ kind, email }) => `${kind} ${email}`).toSorted()).toEqual([
        'notice ada@acme.example',
        'notice bob@acme.example',
      ]);
      for (const message of told) {
        expect(message.notice).toEqual(notice);
        await store.mails.recordOutcome(message, { state: 'sent' });
      }
      expect(await claim(store)).toBeNull();
      expect(await campaigns.find(id)).toMatchObject({ state: 'paused', stopped_at: clock.now, resumed_at: null });
      expect(await campaigns.find(draft.id)).toMatchObject({ state: 'draft', stopped_at: null });
      clock.now += 1_000;
      expect(await campaigns.change(id, 'sending')).toBe(true);
      const resumed = { state: 'sending', stopped_at: null, resumed_at: clock.now };
      expect(await campaigns.find(id)).toMatchObject(resumed);
      expect(await store.mails.complaints()).toEqual({ since: clock.now, emails: 0, complaints: 0 });
      // A manual pause is not caused by complaints, so they still count.
      clock.now += 1_000;
      await campaigns.change(id, 'paused');
      await campaigns.change(id, 'sending');
      expect(await campaigns.find(id)).toMatchObject(resumed);
    });

    it('count the complaints of a week', async () => {
      const { store, list, clock, send } = await withPeople(['a@x.io', 'b@y.io']);
      await send();
      await list.changePerson('a@x.io', 'unsubscribe', 'mail-server', REPORT);
      clock.now += 7 * DAY_MS - 1;
      expect(await store.mails.complaints()).toMatchObject({ emails: 2, complaints: 1 });
      clock.now += 1;
      expect(await store.mails.complaints()).toMatchObject({ emails: 0, complaints: 0 });
    });

    it('have a complaint of someone who has unsubscribed, and nothing that happened at a provider', async () => {
      const { campaigns, list, send } = await withPeople(['a@x.io', 'b@y.io']);
      const { id, messages } = await send();
      for (const message of messages) {
        if (message.email === 'a@x.io') await list.unsubscribe(unsubscribeHash(message));
      }
      await list.changePerson('a@x.io', 'unsubscribe', 'mail-server', REPORT);
      await list.changePerson('b@y.io', 'unsubscribe', 'mail-server', { isComplaint: false, messageKey: null });
      expect(await campaigns.find(id)).toMatchObject({ unsubscribed: 1, complained: 1 });
    });

    it('have a person who unsubscribes by a link to an address that was corrected since', async () => {
      const { store, campaigns, list, send, sendAll } = await withPeople(['a@x.io']);
      const { id, messages } = await send();
      await list.correctAddress(await findId(store, 'a@x.io'), 'b@x.io');
      const [correction] = await sendAll();
      expect(await list.confirm(hashToken(correction?.tokens.link ?? ''), null)).toBe('confirmed');
      for (const message of messages) await list.unsubscribe(unsubscribeHash(message));
      expect(await campaigns.find(id)).toMatchObject({ sent: 1, unsubscribed: 1 });
    });

    it('do not count a person as joined who joined before, or got nothing', async () => {
      const { store, campaigns, list, invite, send } = await withPeople(['a@x.io', 'b@y.io']);
      const links = await invite();
      await list.redeemInvite(links.get('a@x.io') ?? '');
      const started = await campaigns.create(CONTENT);
      await campaigns.change(started.id, 'sending');
      await campaigns.feed();
      await claimed(store);
      await list.redeemInvite(links.get('b@y.io') ?? '');
      expect(await campaigns.find(started.id)).toMatchObject({ joined: 0 });
      expect(await campaigns.find((await send()).id)).toMatchObject({ joined: 0 });
    });
  });
}
