import { DAY_MS } from 'early-access-kit/internal';
import { claimed } from 'early-access-server/fixtures';
import type { CampaignContent, Segment } from 'early-access-server/internal';
import { describe, expect, it } from 'vitest';
import { beforeNextTransaction, firestoreOfFile } from '../../fixtures/firestore.ts';
import { signupId } from '../database.ts';
import { firestoreStore } from '../firestore-store.ts';
import { campaignMessageRef, newMessageDocument } from '../message-document.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const CONTENT: CampaignContent = { subject: 'Hello', body: '*', audience: { states: ['subscribed'], source: null } };

const database = await firestoreOfFile(NOW);
const { clock } = database;

/** Creates a store with this many people, half of them from a UTM campaign, and starts a campaign to them. */
async function startCampaign(people: number, conditions?: Segment) {
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now, mailsPerHour: 1_000 });
  await store.list.importPeople(
    Array.from({ length: people }, (_, n) => {
      const about = { source: 'fair', created_at: NOW, state: 'subscribed' as const };
      return { email: `person-${n}@x${n}.io`, ...about, ...(n % 2 === 0 && { utm_campaign: 'launch' }) };
    }),
    { welcome: false },
  );
  const { id } = await store.campaigns.create({
    ...CONTENT,
    audience: { ...CONTENT.audience, ...(conditions && { conditions }) },
  });
  await store.campaigns.change(id, 'sending');
  database.calls.reset();
  return { store, id, campaign: database.firestore.doc(`campaigns/${id}`) };
}

describe('feeding a campaign', () => {
  it.each([
    ['paused', (id: string) => database.firestore.doc(`campaigns/${id}`).update({ state: 'paused' })],
    ['deleted', (id: string) => database.firestore.doc(`campaigns/${id}`).delete()],
  ])('queues nothing if it was %s in the meantime', async (_, change) => {
    const { store, id } = await startCampaign(1);
    beforeNextTransaction(database, () => change(id));
    expect(await store.campaigns.feed()).toBe(0);
    expect(await store.mails.counts()).toEqual(new Map());
  });

  it('writes nothing while the last messages wait or are being sent', async () => {
    const { store, id, campaign } = await startCampaign(2);
    expect(await store.campaigns.feed()).toBe(2);
    expect((await campaign.get()).get('is_fed')).toBe(true);
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(0);
    // The campaigns, and the count of waiting messages.
    expect(database.calls).toMatchObject({ documentReads: 1, aggregationReads: 1, writes: 0 });
    const retried = await claimed(store);
    await claimed(store);
    await store.mails.recordOutcome(retried, { state: 'queued', retryAt: NOW + 1, reason: '451' });
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(0);
    expect(database.calls.writes).toBe(0);
    expect(await store.campaigns.find(id)).toMatchObject({ state: 'sending' });
  });

  it('processes an audience with conditions in small steps, and queues matching people', async () => {
    const { store, id, campaign } = await startCampaign(450, { campaign: 'launch' });
    expect(await store.campaigns.find(id)).toMatchObject({ people: 225 });
    expect([await store.campaigns.feed(), await store.campaigns.feed()]).toEqual([300, 150]);
    expect(await store.mails.counts('campaign')).toEqual(new Map([['queued', 225]]));
    // As if the audience was too large to be counted at the start.
    await campaign.update({ people: 100 });
    expect(await store.campaigns.find(id)).toMatchObject({ people: 225 });
  });

  it('reads nobody while there is little room in the queue', async () => {
    const { store } = await startCampaign(301);
    expect(await store.campaigns.feed()).toBe(300);
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(0);
    expect(database.calls).toMatchObject({ documentReads: 1, aggregationReads: 1 });
  });
});

it('claims a campaign’s message while the campaign is being sent, and drops it afterwards', async () => {
  const { store, id } = await startCampaign(1);
  await store.campaigns.feed();
  const [message = ''] = (await database.list('mails')).map(({ name }) => name.split('/').at(-1));
  expect(await store.mails.findNextDue()).toBe(NOW);
  await store.campaigns.change(id, 'paused');
  expect([await store.mails.claim(message), await store.mails.findNextDue()]).toEqual(['nothing', null]);
  expect(await store.mails.counts()).toEqual(new Map([['queued', 1]]));
  await database.firestore.doc(`campaigns/${id}`).update({ state: 'done' });
  expect(await store.mails.claim(message)).toBe('nothing');
  expect(await store.mails.counts()).toEqual(new Map());
});

it('counts the audience when the campaign starts, and its messages from then on', async () => {
  const { store, id } = await startCampaign(1);
  await store.campaigns.create(CONTENT);
  database.calls.reset();
  // Six counts for the started campaign.
  expect(await store.campaigns.list()).toHaveLength(2);
  expect(database.calls.aggregationReads).toBe(6);
  await store.campaigns.change(id, 'paused');
  expect(database.calls.aggregationReads).toBe(6);
});

it('does not start a campaign that was rescheduled in the meantime', async () => {
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now });
  const { id } = await store.campaigns.create(CONTENT);
  const { schedule } = store.campaigns;
  await schedule.set(id, { at: NOW, zone: 'UTC' });
  beforeNextTransaction(database, async () => {
    await store.campaigns.change(id, 'draft');
    await schedule.set(id, { at: NOW + DAY_MS, zone: 'UTC' });
  });
  expect(await schedule.startDue()).toEqual([]);
  expect(await store.campaigns.find(id)).toMatchObject({ state: 'scheduled', scheduled_at: NOW + DAY_MS });
});

describe('a follow-up', () => {
  /** Starts a follow-up to a campaign that the first `got` of these people received. */
  async function startFollowUp(people: number, got: number) {
    const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now, mailsPerHour: 1_000 });
    await store.list.importPeople(
      Array.from({ length: people }, (_, n) => {
        const invited = { state: 'invited' as const, invited_at: NOW - DAY_MS };
        return { email: `person-${n}@x${n}.io`, source: 'fair', created_at: NOW + n, ...invited };
      }),
      { welcome: false },
    );
    const { id: first } = await store.campaigns.create(CONTENT);
    await store.campaigns.change(first, 'sending');
    for (let n = 0; n < got; n += 1) {
      const [signup_id, about] = [signupId(`person-${n}@x${n}.io`), { kind: 'campaign', campaign_id: first } as const];
      const message = newMessageDocument({ ...about, signup_id }, NOW);
      await campaignMessageRef(database.firestore, signup_id, first).set({ ...message, state: 'sent' });
    }
    await store.campaigns.feed();
    const followUp = await store.campaigns.schedule.followUp(first, 1);
    if (followUp === null) throw new Error('there is no follow-up');
    await store.campaigns.schedule.set(followUp.id, null);
    clock.now += DAY_MS;
    database.calls.reset();
    const started = await store.campaigns.schedule.startDue();
    return { store, started, id: followUp.id };
  }

  it('to few people knows their number when it starts', async () => {
    const { store, started, id } = await startFollowUp(3, 2);
    expect(started).toMatchObject([{ id, people: 2 }]);
    expect(await store.campaigns.feed()).toBe(3);
    expect(await store.campaigns.find(id)).toMatchObject({ people: 2 });
  });

  it('to many people reads their previous message while sending, and then knows their number', async () => {
    const { store, started, id } = await startFollowUp(301, 3);
    expect(started).toMatchObject([{ id, people: 301 }]);
    // The two campaigns, and the one that is started twice more.
    expect(database.calls.documentReads).toBe(4);
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(300);
    expect(database.calls.documentReads).toBeLessThanOrEqual(2 * 300 + 2);
    expect(await store.campaigns.feed()).toBe(1);
    expect(await store.campaigns.find(id)).toMatchObject({ people: 3 });
    expect(await store.mails.counts('campaign')).toEqual(
      new Map([
        ['queued', 3],
        ['sent', 3],
      ]),
    );
  });
});
