import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import type { CampaignContent } from '../app/campaigns/campaign.ts';
import { MAX_STEPS } from '../app/campaigns/series.ts';
import type { SeriesState, StepTiming } from '../app/campaigns/step-timing.ts';
import type { PersonState } from '../app/lifecycle/states.ts';
import { EVERYONE } from '../app/people/people.ts';
import { exampleSignup } from './examples.ts';
import { claimed, deliverAll, LEASE_MS, linkHash, type SetUp } from './harness.ts';

const EVERY_STATE: readonly PersonState[] = ['subscribed', 'invited', 'joined'];
const afterState = (state: SeriesState, days: number): StepTiming => ({ after: state, previous: null, days });
const afterEmail = (previous: string, days: number): StepTiming => ({ after: null, previous, days });

/** Tests the series of emails after signing up. */
export function seriesContract(setUp: SetUp): void {
  async function open(options: { readonly confirm?: boolean } = {}) {
    const harness = await setUp({ mailsPerHour: 100_000, ...options });
    const { store, clock } = harness;
    const { campaigns } = store;
    const content = (subject: string, rest: Partial<CampaignContent['audience']> = {}): CampaignContent => ({
      subject,
      body: 'Text',
      audience: { states: EVERY_STATE, source: null, ...rest },
    });
    async function write(subject: string, timing: StepTiming, rest: Partial<CampaignContent['audience']> = {}) {
      const step = await campaigns.series.add(timing);
      if (step === null) throw new Error('the step was not added');
      expect(await campaigns.save(step.id, content(subject, rest), { revision: 'a' })).toBe(true);
      return step.id;
    }
    async function turnOn(subject: string, timing: StepTiming, rest: Partial<CampaignContent['audience']> = {}) {
      const id = await write(subject, timing, rest);
      expect(await campaigns.change(id, 'sending')).toBe(true);
      return id;
    }
    async function signUp(...emails: readonly string[]): Promise<void> {
      for (const email of emails) {
        await store.createSignup(exampleSignup({ email }));
        clock.now += 1;
      }
    }
    /** Advances the clock by slightly more than this number of days. */
    const wait = (days: number) => {
      clock.now += days * DAY_MS + HOUR_MS;
    };
    async function feed(): Promise<void> {
      while ((await campaigns.feed()) > 0);
    }
    /** Queues due emails and sends everything. Returns the emails of the series in order. */
    async function deliver(): Promise<readonly string[]> {
      await feed();
      const sent = await deliverAll(store);
      return sent.flatMap(({ campaign, email }) => (campaign === null ? [] : `${campaign.subject} ${email}`));
    }
    const inviteAll = async () => {
      const [last] = await store.list.waves(1);
      await store.list.invite({ after: last?.id ?? null, who: { count: 100, filter: EVERYONE } });
    };
    return { ...harness, campaigns, content, write, turnOn, signUp, wait, feed, deliver, inviteAll };
  }

  describe('the series', () => {
    it('has at most ten emails, each after a state or another one, which can be changed until it is turned on', async () => {
      const { campaigns, write, content } = await open();
      const first = await write('First', afterState('subscribed', 3));
      const second = await write('Second', afterEmail(first, 2));
      expect(await campaigns.find(second)).toMatchObject({
        subject: 'Second',
        state: 'draft',
        follows: null,
        series: { after: null, previous: first, days: 2 },
        people: 0,
      });
      expect(await campaigns.find((await campaigns.create(content('Other'))).id)).toMatchObject({ series: null });
      const { series } = campaigns;
      expect([await series.add(afterEmail('nothing', 1)), await series.add(afterEmail('a/b', 1))]).toEqual([
        null,
        null,
      ]);
      expect(await series.retime(first, afterEmail(second, 1))).toBe(false);
      expect(await series.retime('nothing', afterState('joined', 1))).toBe(false);
      // Another step follows it.
      expect([await campaigns.remove(first), await series.retime(second, afterState('invited', 5))]).toEqual([
        false,
        true,
      ]);
      expect((await campaigns.find(second))?.series).toEqual(afterState('invited', 5));
      for (let count = 2; count < MAX_STEPS; count += 1) await write(`More ${count}`, afterState('joined', count));
      expect(await series.add(afterState('joined', 1))).toBeNull();
      expect(await campaigns.remove(second)).toBe(true);
      expect(await series.add(afterState('joined', 1))).not.toBeNull();
      // It has no start time and no follow-up, and never ends automatically.
      expect(await campaigns.schedule.set(first, { at: Date.now(), zone: 'UTC' })).toBe(false);
      expect(await campaigns.change(first, 'sending')).toBe(true);
      expect(await campaigns.schedule.followUp(first, 7)).toBeNull();
      expect([await campaigns.feed(), (await campaigns.find(first))?.state]).toEqual([0, 'sending']);
    });

    it('goes to people who sign up after it was turned on, some days later and once', async () => {
      const { store, turnOn, signUp, wait, deliver, campaigns, clock, open: other } = await open();
      await signUp('before@x.io');
      const id = await turnOn('Tips', afterState('subscribed', 3));
      clock.now += 1;
      await signUp('a@x.io', 'b@x.io');
      const people = [{ email: 'imported@x.io', source: 'file', created_at: clock.now, state: 'subscribed' as const }];
      await store.list.importPeople(people, { welcome: false });
      expect((await campaigns.series.waiting()).get(id)).toEqual({ late: 0, coming: 2 });
      clock.now += 3 * DAY_MS - 3;
      expect(await deliver()).toEqual([]);
      wait(0);
      expect((await campaigns.series.waiting()).get(id)).toEqual({ late: 2, coming: 0 });
      // Two processes feed the series at the same time.
      const racing = [campaigns, other().campaigns];
      await Promise.all(racing.map((each) => each.feed()));
      expect((await deliver()).toSorted()).toEqual(['Tips a@x.io', 'Tips b@x.io']);
      expect(await campaigns.find(id)).toMatchObject({ state: 'sending', people: 2, sent: 2 });
      wait(30);
      expect(await deliver()).toEqual([]);
      expect((await campaigns.series.waiting()).get(id)).toEqual({ late: 0, coming: 0 });
      await store.erase('a@x.io');
      expect(await campaigns.find(id)).toMatchObject({ people: 2, sent: 2 });
    });

    it('is claimed with the language of the person’s latest signup', async () => {
      const { store, turnOn, wait, feed, clock } = await open();
      await turnOn('Tips', afterState('subscribed', 1));
      clock.now += 1;
      await store.createSignup(exampleSignup({ email: 'a@x.io' }), { language: 'ar' });
      await store.mails.recordOutcome(await claimed(store), { state: 'sent' });
      wait(1);
      await feed();
      expect(await claimed(store)).toMatchObject({ kind: 'campaign', email: 'a@x.io', language: 'ar' });
    });

    it('goes on after an email that was sent, and stops if a person leaves', async () => {
      const { store, turnOn, write, signUp, wait, deliver, campaigns, clock } = await open();
      const first = await turnOn('First', afterState('subscribed', 1));
      const second = await write('Second', afterEmail(first, 2));
      clock.now += 1;
      await signUp('stays@x.io', 'unsubscribes@x.io', 'bounces@x.io', 'erased@x.io');
      wait(1);
      await campaigns.feed();
      expect(await campaigns.change(second, 'sending')).toBe(true);
      clock.now += 1;
      expect(await deliver()).toHaveLength(4);
      await store.list.changePerson('unsubscribes@x.io', 'unsubscribe', 'person');
      await store.list.changePerson('bounces@x.io', 'bounce', 'mail-server');
      await store.erase('erased@x.io');
      clock.now += DAY_MS;
      expect(await deliver()).toEqual([]);
      wait(1);
      expect(await deliver()).toEqual(['Second stays@x.io']);
      // A person who returns gets neither the emails they missed nor any email twice.
      await store.createSignup(exampleSignup({ email: 'unsubscribes@x.io' }));
      await deliverAll(store, (message) => store.list.confirm(linkHash(message), null));
      wait(5);
      expect(await deliver()).toEqual([]);
    });

    it('is for people who confirm, are invited or join, by when they did', async () => {
      const { store, turnOn, signUp, wait, deliver, inviteAll, clock } = await open({ confirm: true });
      await turnOn('Confirmed', afterState('subscribed', 2));
      await turnOn('Invited', afterState('invited', 2), { states: ['invited'] });
      await turnOn('Joined', afterState('joined', 1));
      clock.now += 1;
      await signUp('confirms@x.io', 'never@x.io');
      wait(5);
      await deliverAll(
        store,
        (message) => message.email === 'confirms@x.io' && store.list.confirm(linkHash(message), null),
      );
      wait(1);
      expect(await deliver()).toEqual([]);
      await inviteAll();
      const invitation = await claimed(store);
      await store.mails.recordOutcome(invitation, { state: 'sent' });
      wait(1);
      expect(await deliver()).toEqual(['Confirmed confirms@x.io']);
      clock.now += 1;
      expect((await store.list.redeemInvite(linkHash(invitation))).result).toBe('redeemed');
      wait(1);
      // People who have joined are no longer in the audience of the step after the invitation.
      expect(await deliver()).toEqual(['Joined confirms@x.io']);
      wait(9);
      expect(await deliver()).toEqual([]);
    });

    it('sends what is late after a pause once and in order, with the text as it is then', async () => {
      const { store, turnOn, signUp, wait, deliver, campaigns, content, clock, feed } = await open();
      const long = await turnOn('Long', afterState('subscribed', 3));
      const short = await turnOn('Short', afterState('subscribed', 1));
      clock.now += 1;
      await signUp('a@x.io', 'b@x.io');
      wait(1);
      await feed();
      expect(await campaigns.change(short, 'paused')).toBe(true);
      clock.now += LEASE_MS;
      expect((await deliver()).filter((email) => email.startsWith('Long'))).toEqual([]);
      await signUp('c@x.io');
      wait(9);
      // Later steps wait for the paused one, even for people whose email of that step is already queued.
      expect(await deliver()).toEqual([]);
      expect(await campaigns.series.waiting()).toEqual(
        new Map([
          [long, { late: 3, coming: 0 }],
          [short, { late: 1, coming: 0 }],
        ]),
      );
      // A running step cannot be changed, so that nobody receives a half-edited text.
      const text = { revision: 'b' };
      expect(await campaigns.save(long, content('Longer'), text)).toBe(false);
      expect(await campaigns.series.retime(long, afterState('subscribed', 4))).toBe(false);
      expect(await campaigns.save(short, content('Shorter'), text)).toBe(true);
      expect(await campaigns.series.retime(short, afterState('invited', 1))).toBe(false);
      expect(await campaigns.series.retime(short, afterState('subscribed', 2))).toBe(true);
      expect(await campaigns.change(short, 'sending', 'a')).toBe(false);
      expect(await campaigns.change(short, 'sending', 'b')).toBe(true);
      const sent = await deliver();
      for (const email of ['a@x.io', 'b@x.io', 'c@x.io'])
        expect(sent.filter((one) => one.endsWith(email))).toEqual([`Shorter ${email}`, `Long ${email}`]);
      await campaigns.change(short, 'paused');
      await campaigns.series.retime(short, afterState('subscribed', 1));
      await campaigns.change(short, 'sending');
      wait(9);
      expect(await deliver()).toEqual([]);
      expect((await store.mails.counts('campaign')).get('sent')).toBe(6);
    });

    it('goes to a segment, and an ended email goes to nobody and holds up nothing', async () => {
      const { store, turnOn, wait, deliver, campaigns, clock } = await open();
      const first = await turnOn('First', afterState('subscribed', 1));
      await turnOn('Of the blog', afterState('subscribed', 2), { source: 'blog' });
      await turnOn('Second', afterState('subscribed', 3), { conditions: { with_campaign: first } });
      await turnOn('Not first', afterState('subscribed', 3), { conditions: { without_campaign: first } });
      clock.now += 1;
      for (const [email, source] of [
        ['a@x.io', 'blog'],
        ['b@x.io', 'fair'],
      ] as const)
        await store.createSignup(exampleSignup({ email, source }));
      wait(1);
      expect(await deliver()).toHaveLength(2);
      clock.now += 1;
      await store.createSignup(exampleSignup({ email: 'c@x.io', source: 'fair' }));
      clock.now += 1;
      expect(await campaigns.change(first, 'cancelled')).toBe(true);
      wait(1);
      expect(await deliver()).toEqual(['Of the blog a@x.io']);
      wait(3);
      expect((await deliver()).toSorted()).toEqual(['Not first c@x.io', 'Second a@x.io', 'Second b@x.io']);
      expect((await campaigns.series.waiting()).has(first)).toBe(false);
    });
  });
}
