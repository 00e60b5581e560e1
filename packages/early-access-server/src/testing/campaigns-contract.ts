import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../app/access/secrets.ts';
import type { Campaign, CampaignContent } from '../app/campaigns/campaign.ts';
import type { PersonState } from '../app/lifecycle/states.ts';
import type { ClaimedMessage } from '../app/ports/store.ts';
import { exampleSignup, numbers } from './examples.ts';
import { claim, claimed, deliver, deliverAll, LEASE_MS, NOW, type SetUp } from './harness.ts';

const CONTENT: CampaignContent = {
  subject: 'We are live',
  body: '# Hello',
  audience: { states: ['subscribed', 'invited', 'joined'], source: null },
};

export function campaignsContract(setUp: SetUp, histories: number): void {
  /** A database with these people and no queued emails. */
  async function withPeople(
    people: readonly string[],
    rest: { readonly state?: PersonState; readonly source?: string } = {},
  ) {
    const harness = await setUp({ mailsPerHour: 100_000 });
    const campaigns = harness.store.campaigns;
    const add = (emails: readonly string[], { state = 'subscribed', source = 'fair' }: typeof rest) =>
      harness.store.list.importPeople(
        emails.map((email) => ({ email, source, created_at: harness.clock.now, state })),
        { welcome: false },
      );
    if (people.length > 0) await add(people, rest);
    const start = async (content = CONTENT) => {
      const { id } = await campaigns.create(content);
      expect(await campaigns.change(id, 'sending')).toBe(true);
      return id;
    };
    return { ...harness, campaigns, add, start };
  }

  describe('a campaign', () => {
    it('is written as a draft, which alone can be changed and removed', async () => {
      const { campaigns, clock } = await withPeople([]);
      const first = await campaigns.create(CONTENT);
      clock.now += 1_000;
      const second = await campaigns.create({ ...CONTENT, subject: 'Second' });
      expect(first).toEqual({
        ...CONTENT,
        id: expect.any(String),
        revision: '',
        state: 'draft',
        created_at: NOW,
        started_at: null,
        people: 0,
        sent: 0,
        failed: 0,
        unknown: 0,
        ended_at: null,
        scheduled_at: null,
        time_zone: null,
        follows: null,
        after_days: null,
        stopped_at: null,
        resumed_at: null,
        series: null,
        unsubscribed: 0,
        complained: 0,
        joined: 0,
      });
      expect((await campaigns.list()).map(({ id }) => id)).toEqual([second.id, first.id]);
      const changed: CampaignContent = { subject: 'New', body: '*', audience: { states: ['joined'], source: 'fair' } };
      const anyText = { revision: 'b', replaces: ['', 'b'] };
      expect(await campaigns.save(first.id, changed, anyText)).toBe(true);
      expect(await campaigns.find(first.id)).toMatchObject({ ...changed, revision: 'b' });
      expect([await campaigns.remove(first.id), await campaigns.remove(first.id)]).toEqual([true, false]);
      expect(await campaigns.find(first.id)).toBeNull();
      expect(await campaigns.change(second.id, 'sending')).toBe(true);
      expect([await campaigns.save(second.id, changed, anyText), await campaigns.remove(second.id)]).toEqual([
        false,
        false,
      ]);
      for (const id of ['nothing', 'a/b']) {
        expect([await campaigns.find(id), await campaigns.change(id, 'sending')]).toEqual([null, false]);
        expect([await campaigns.save(id, changed, anyText), await campaigns.remove(id)]).toEqual([false, false]);
      }
    });

    it('replaces no text that its author has not seen, and one of two authors wins', async () => {
      const { campaigns, open } = await withPeople([]);
      const { id, revision } = await campaigns.create(CONTENT, { revision: 'a', replaces: [] });
      const other = open().campaigns;
      const text = (subject: string) => ({ ...CONTENT, subject });
      const saved = await Promise.all([
        campaigns.save(id, text('one'), { revision: 'one', replaces: [revision] }),
        other.save(id, text('two'), { revision: 'two', replaces: [revision] }),
      ]);
      expect(saved.filter(Boolean)).toHaveLength(1);
      const winner = saved[0] ? 'one' : 'two';
      expect(await campaigns.find(id)).toMatchObject({ subject: winner, revision: winner });
      // The request with the previous text may have failed, or its response was lost.
      expect(await campaigns.save(id, text('c'), { revision: 'c', replaces: [winner, 'b'] })).toBe(true);
      expect(await campaigns.save(id, text('d'), { revision: 'd', replaces: [winner, 'c'] })).toBe(true);
      expect(await campaigns.save(id, text('d'), { revision: 'd', replaces: ['c', 'd'] })).toBe(true);
      expect(await campaigns.save(id, text('late'), { revision: 'late', replaces: [] })).toBe(false);
      expect(await campaigns.save(id, text('e'), { revision: 'e' })).toBe(true);
      expect(await campaigns.find(id)).toMatchObject({ subject: 'e', revision: 'e' });
      expect(await campaigns.save(id, text('d'), { revision: 'd' })).toBe(true);
      expect(await campaigns.find(id)).toMatchObject({ subject: 'd', revision: 'd' });
      expect([await campaigns.change(id, 'sending', 'c'), await campaigns.change(id, 'sending', 'd')]).toEqual([
        false,
        true,
      ]);
      expect([await campaigns.change(id, 'paused', 'c'), await campaigns.change(id, 'sending', 'c')]).toEqual([
        true,
        true,
      ]);
    });

    it('is created once, however often it is asked for', async () => {
      const { campaigns } = await withPeople([]);
      const first = await campaigns.create(CONTENT, { revision: 'a', replaces: [] });
      const again = await campaigns.create(CONTENT, { revision: 'a', replaces: [] });
      const continued = await campaigns.create({ ...CONTENT, subject: 'More' }, { revision: 'b', replaces: ['a'] });
      expect([again.id, continued.id]).toEqual([first.id, first.id]);
      expect(await campaigns.list()).toMatchObject([{ id: first.id, subject: 'More', revision: 'b' }]);
      await campaigns.change(first.id, 'sending');
      expect((await campaigns.create(CONTENT, { revision: 'c', replaces: ['b'] })).id).not.toBe(first.id);
      expect((await campaigns.create(CONTENT)).id).not.toBe((await campaigns.create(CONTENT)).id);
      expect(await campaigns.list()).toHaveLength(4);
    });

    it('changes its state only as decided, and one of two callers wins', async () => {
      const { campaigns, start, open } = await withPeople(['a@x.io']);
      const { id } = await campaigns.create(CONTENT);
      expect(await campaigns.change(id, 'paused')).toBe(false);
      const other = open().campaigns;
      const started = await Promise.all([campaigns, other, campaigns].map((store) => store.change(id, 'sending')));
      expect(started.filter(Boolean)).toHaveLength(1);
      expect([await campaigns.change(id, 'paused'), await campaigns.change(id, 'paused')]).toEqual([true, false]);
      expect([await campaigns.change(id, 'sending'), await campaigns.change(id, 'cancelled')]).toEqual([true, true]);
      for (const to of ['sending', 'paused', 'cancelled'] as const) expect(await campaigns.change(id, to)).toBe(false);
      expect((await campaigns.find(await start()))?.started_at).toBe(NOW);
    });

    it('that is cancelled as a draft was never started', async () => {
      const { store, campaigns } = await withPeople(['a@x.io']);
      const { id } = await campaigns.create(CONTENT);
      expect(await campaigns.change(id, 'cancelled')).toBe(true);
      expect([await campaigns.feed(), await claim(store)]).toEqual([0, null]);
      expect(await campaigns.find(id)).toMatchObject({ state: 'cancelled', started_at: null, people: 0 });
    });

    it('is queued in portions, and others continue while it waits for room', async () => {
      const emails = Array.from({ length: 301 }, (_, index) => `p${index}@x${index}.io`);
      const { store, campaigns, add, start } = await withPeople(emails);
      await add(['a@x.io', 'b@x.io'], { source: 'blog' });
      const first = await start({ ...CONTENT, audience: { states: ['subscribed'], source: 'fair' } });
      expect([await campaigns.feed(), await campaigns.feed()]).toEqual([300, 0]);
      await start({ ...CONTENT, subject: 'Second', audience: { states: ['subscribed'], source: 'blog' } });
      expect(await campaigns.feed()).toBeGreaterThan(0);
      expect(await campaigns.find(first)).toMatchObject({ state: 'sending', people: 301 });
      expect((await store.mails.counts()).get('queued')).toBe(302);
    });

    it('knows the size of its audience', async () => {
      const { campaigns, add, start } = await withPeople(['a@x.io', 'b@x.io']);
      await add(['c@x.io'], { state: 'joined', source: 'blog' });
      await add(['d@x.io'], { state: 'pending', source: 'blog' });
      const size = async (states: readonly PersonState[], source: string | null) =>
        (await campaigns.audienceSize({ states, source })).count;
      expect([
        await size(['subscribed', 'joined'], null),
        await size(['subscribed'], 'blog'),
        await size([], null),
      ]).toEqual([3, 0, 0]);
      expect((await campaigns.find(await start()))?.people).toBe(3);
    });

    it('is sent to everyone in its audience once, after other emails, and is done then', async () => {
      const { store, campaigns, add, start } = await withPeople(['a@x.io', 'b@x.io']);
      await add(['c@x.io'], { state: 'pending' });
      await add(['d@x.io'], { source: 'blog' });
      const id = await start({ ...CONTENT, audience: { states: ['subscribed'], source: 'fair' } });
      expect(await campaigns.feed()).toBeGreaterThan(0);
      await store.createSignup(exampleSignup({ email: 'new@x.io' }));
      const claims = [await claim(store), await claim(store), await claim(store)];
      expect(claims.map((message) => [message?.kind, message?.email, message?.campaign])).toEqual([
        ['welcome', 'new@x.io', null],
        ['campaign', 'a@x.io', { subject: 'We are live', body: '# Hello' }],
        ['campaign', 'b@x.io', { subject: 'We are live', body: '# Hello' }],
      ]);
      expect(await claim(store)).toBeNull();
      await campaigns.feed();
      expect(await campaigns.find(id)).toMatchObject({ state: 'sending', sent: 0 });
      for (const message of claims) if (message) await store.mails.recordOutcome(message, { state: 'sent' });
      await campaigns.feed();
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', people: 2, sent: 2, failed: 0, unknown: 0 });
      expect(await campaigns.feed()).toBe(0);
    });

    it('is claimed with the language of each person’s latest signup', async () => {
      const { store, campaigns, start } = await withPeople(['unknown@x.io']);
      for (const language of ['de', 'ar']) {
        await store.createSignup(exampleSignup({ email: `${language}@x.io` }), { language });
        await deliver(store);
      }
      await start();
      expect(await campaigns.feed()).toBeGreaterThan(0);
      const claims = [await claimed(store), await claimed(store), await claimed(store)];
      const languages = claims.map(({ kind, email, language }) => [kind, email, language]);
      expect(languages.toSorted()).toEqual([
        ['campaign', 'ar@x.io', 'ar'],
        ['campaign', 'de@x.io', 'de'],
        ['campaign', 'unknown@x.io', null],
      ]);
    });

    it('continues for a message that an admin sends again, unless it was cancelled', async () => {
      const { store, campaigns, clock, start } = await withPeople(['a@x.io', 'b@x.io', 'c@x.io']);
      const id = await start();
      await campaigns.feed();
      const keys = [await claimed(store), await claimed(store), await claimed(store)].map((one) => one.messageKey);
      clock.now += LEASE_MS + 1;
      await store.mails.expireLeases();
      await campaigns.feed();
      const ended_at = clock.now;
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', ended_at, sent: 0, unknown: 3 });
      const listed = await Array.fromAsync(store.mails.unsent({ campaign: id, state: 'unknown' }));
      expect(listed.map(({ email }) => email).toSorted()).toEqual(['a@x.io', 'b@x.io', 'c@x.io']);
      expect(listed.map((message) => message.id).toSorted()).toEqual(keys.toSorted());
      const [first = '', second = '', third = ''] = keys;
      expect(await store.mails.decideUnknown(first, 'sent')).toBe('done');
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', sent: 1, unknown: 2 });
      clock.now += HOUR_MS;
      expect(await store.mails.decideUnknown(second, 'again')).toBe('done');
      expect(await campaigns.find(id)).toMatchObject({ state: 'sending', sent: 1, unknown: 1 });
      await campaigns.feed();
      await deliver(store);
      await campaigns.feed();
      expect(await claim(store)).toBeNull();
      // A follow-up counts its delay from the first time the campaign ended.
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', ended_at, sent: 2, unknown: 1 });
      const cancelled = await start();
      await campaigns.feed();
      const { messageKey } = await claimed(store);
      clock.now += LEASE_MS + 1;
      await store.mails.expireLeases();
      await campaigns.change(cancelled, 'cancelled');
      expect(await store.mails.decideUnknown(messageKey, 'again')).toBe('cancelled');
      expect(await store.mails.decideUnknown(third, 'sent')).toBe('done');
    });

    it('has a short queue, however many people it is for, and reaches all of them, also from two processes', async () => {
      const emails = Array.from({ length: 320 }, (_, index) => `p${index}@x${index}.io`);
      const { store, campaigns, add, start, open } = await withPeople([]);
      for (let first = 0; first < emails.length; first += 500) await add(emails.slice(first, first + 500), {});
      const id = await start();
      const other = open().campaigns;
      const sent: string[] = [];
      for (;;) {
        await Promise.all([campaigns.feed(), other.feed()]);
        expect((await store.mails.counts()).get('queued') ?? 0).toBeLessThanOrEqual(300);
        const batch: string[] = [];
        const due = store.mails.due();
        while (batch.length < 40) {
          const message = await claim(store, due);
          if (message === null) break;
          await store.mails.recordOutcome(message, { state: 'sent' });
          batch.push(message.email);
        }
        if (batch.length === 0) break;
        sent.push(...batch);
      }
      expect(sent.toSorted()).toEqual(emails.toSorted());
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', sent: 320 });
    });

    it('waits while it is paused, with what is queued, and continues', async () => {
      const { store, campaigns, add, start, clock } = await withPeople(['a@x.io', 'b@x.io']);
      const id = await start();
      await campaigns.feed();
      const first = await claimed(store);
      expect(await campaigns.change(id, 'paused')).toBe(true);
      await store.mails.recordOutcome(first, { state: 'queued', retryAt: NOW + 30_000, reason: '451' });
      clock.now += HOUR_MS;
      await add(['late@x.io'], {});
      expect([await claim(store), await store.mails.findNextDue(), await campaigns.feed()]).toEqual([null, null, 0]);
      expect(await campaigns.change(id, 'sending')).toBe(true);
      expect(await campaigns.find(id)).toMatchObject({ people: 2, started_at: NOW });
      const rest = [await claimed(store), await claimed(store)];
      expect(rest.map(({ email, attempts }) => [email, attempts]).toSorted()).toEqual([
        ['a@x.io', 2],
        ['b@x.io', 1],
      ]);
    });

    it('ends at once if it is cancelled; an attempt in progress is not repeated', async () => {
      const { store, campaigns, start, clock, messages } = await withPeople(['a@x.io', 'b@x.io', 'c@x.io']);
      const id = await start();
      await campaigns.feed();
      const [first, second] = [await claimed(store), await claimed(store)];
      expect(await campaigns.change(id, 'cancelled')).toBe(true);
      await store.mails.recordOutcome(first, { state: 'sent' });
      await store.mails.recordOutcome(second, { state: 'queued', retryAt: NOW + 30_000, reason: '451' });
      clock.now += HOUR_MS;
      expect([await claim(store), await store.mails.findNextDue(), await campaigns.feed()]).toEqual([null, null, 0]);
      expect(await messages()).toMatchObject([{ email: first.email, state: 'sent' }]);
      expect(await campaigns.find(id)).toMatchObject({ state: 'cancelled', people: 3, sent: 1 });
    });

    it('counts what could not be sent', async () => {
      const { store, campaigns, start, clock } = await withPeople(['a@x.io', 'b@x.io', 'c@x.io']);
      const id = await start();
      await campaigns.feed();
      const [first] = [await claimed(store), await claimed(store)];
      await store.mails.recordOutcome(first, { state: 'failed', reason: '550', refusal: 'no-mailbox' });
      clock.now += LEASE_MS + 1;
      await store.mails.expireLeases();
      const last = await claimed(store);
      await store.mails.recordOutcome(last, { state: 'queued', retryAt: clock.now, reason: '451' });
      await campaigns.feed();
      expect(await campaigns.find(id)).toMatchObject({ state: 'sending', sent: 0, failed: 1, unknown: 1 });
      await deliver(store);
      await campaigns.feed();
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', sent: 1, failed: 1, unknown: 1 });
    });

    it('leaves out those who unsubscribe, are erased or sign up meanwhile', async () => {
      const { store, campaigns, start, clock } = await withPeople(['a@x.io', 'b@x.io']);
      await store.createSignup(exampleSignup({ email: 'c@x.io' }));
      const welcome = await claimed(store);
      await store.mails.recordOutcome(welcome, { state: 'sent' });
      const id = await start();
      await campaigns.feed();
      await store.list.unsubscribe(hashToken(welcome.tokens.unsubscribe ?? ''));
      await store.erase('a@x.io');
      clock.now += 1_000;
      await store.createSignup(exampleSignup({ email: 'c@x.io' }));
      await store.createSignup(exampleSignup({ email: 'd@x.io' }));
      const received: string[] = [];
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        received.push(`${message.kind} ${message.email}`);
        await store.mails.recordOutcome(message, { state: 'sent' });
        await campaigns.feed();
      }
      expect(received.toSorted()).toEqual(['campaign b@x.io', 'confirmation c@x.io', 'welcome d@x.io']);
      expect(await campaigns.find(id)).toMatchObject({ state: 'done', people: 3, sent: 1 });
    });

    it.each(Array.from({ length: histories }, (_, index) => index + 1))(
      'reaches everyone who remains once at most, after any events in any order (%i)',
      async (seed) => {
        const emails = Array.from({ length: 40 }, (_, index) => `p${index}@x${index}.io`);
        const { store, campaigns, start, open, clock } = await withPeople(emails);
        const random = numbers(seed);
        const id = await start();
        const stores = [store, open()];
        const either = () => stores[random(2)] ?? store;
        const stayed = new Set(emails);
        /** Emails that the mail server accepted, or may have accepted. */
        const received: string[] = [];
        let inProgress: ClaimedMessage[] = [];
        const tokens: { readonly email: string; readonly hash: string }[] = [];

        const steps: readonly (() => Promise<unknown>)[] = [
          () => either().campaigns.feed(),
          () => Promise.all(stores.map((each) => each.campaigns.feed())),
          async () => {
            const message = await claim(either());
            if (message === null) return;
            inProgress.push(message);
            tokens.push({ email: message.email, hash: hashToken(message.tokens.unsubscribe ?? '') });
          },
          async () => {
            const [message] = inProgress.splice(random(inProgress.length), 1);
            if (message === undefined) return;
            if (random(3) === 0) {
              return either().mails.recordOutcome(message, { state: 'queued', retryAt: clock.now, reason: '451' });
            }
            received.push(message.email);
            return either().mails.recordOutcome(message, { state: 'sent' });
          },
          async () => {
            // The process ends after the mail server has accepted its messages.
            if (random(4) > 0) return;
            received.push(...inProgress.map(({ email }) => email));
            inProgress = [];
            clock.now += LEASE_MS + 1;
            await either().mails.expireLeases();
          },
          () => campaigns.change(id, random(2) === 0 ? 'paused' : 'sending'),
          async () => {
            const token = random(4) === 0 ? tokens[random(tokens.length)] : undefined;
            if (token === undefined) return;
            stayed.delete(token.email);
            await either().list.unsubscribe(token.hash);
          },
          async () => {
            const email = random(8) === 0 ? emails[random(emails.length)] : undefined;
            if (email === undefined) return;
            stayed.delete(email);
            await either().erase(email);
          },
        ];
        for (let step = 0; step < 250; step += 1) await steps[random(steps.length)]?.();

        await campaigns.change(id, 'sending');
        received.push(...inProgress.map(({ email }) => email));
        clock.now += LEASE_MS + 1;
        await store.mails.expireLeases();
        for (let fed = 1; fed > 0; ) {
          fed = await campaigns.feed();
          received.push(...(await deliverAll(store)).map(({ email }) => email));
        }
        await campaigns.feed();
        expect(received.length).toBe(new Set(received).size);
        expect([...stayed].filter((email) => !received.includes(email))).toEqual([]);
        const ended = await campaigns.find(id);
        expect(ended?.state).toBe('done');
        expect(settled(ended)).toBeLessThanOrEqual(40);
        expect(settled(ended)).toBeGreaterThanOrEqual(stayed.size);
      },
    );
  });
}

function settled(campaign: Campaign | null): number {
  return campaign === null ? 0 : campaign.sent + campaign.failed + campaign.unknown;
}
