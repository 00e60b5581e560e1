import { claimed } from 'early-access-server/fixtures';
import type { CampaignContent } from 'early-access-server/stores';
import { describe, expect, it } from 'vitest';
import { beforeNextTransaction, firestoreOfFile } from '../../fixtures/firestore.ts';
import { firestoreStore } from '../firestore-store.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const CONTENT: CampaignContent = { subject: 'Hello', body: '*', audience: { states: ['subscribed'], source: null } };

const database = await firestoreOfFile(NOW);
const { clock } = database;

/** Creates a store with this number of people and starts a campaign to them. */
async function startCampaign(people: number) {
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now, mailsPerHour: 1_000 });
  await store.list.importPeople(
    Array.from({ length: people }, (_, n) => {
      return { email: `person-${n}@x${n}.io`, source: 'fair', created_at: NOW, state: 'subscribed' as const };
    }),
    { welcome: false },
  );
  const { id } = await store.campaigns.create(CONTENT);
  await store.campaigns.change(id, 'sending');
  database.calls.reset();
  return { store, id, campaign: database.firestore.doc(`campaigns/${id}`) };
}

describe('feeding a campaign', () => {
  it.each([
    ['paused', (id: string) => database.firestore.doc(`campaigns/${id}`).update({ state: 'paused' })],
    ['deleted', (id: string) => database.firestore.doc(`campaigns/${id}`).delete()],
  ])('queues nothing if it is %s meanwhile', async (_, change) => {
    const { store, id } = await startCampaign(1);
    beforeNextTransaction(database, () => change(id));
    expect(await store.campaigns.feed()).toBe(0);
    expect(await store.mails.counts()).toEqual(new Map());
  });

  it('writes nothing while messages of those who are left wait or are being sent', async () => {
    const { store, id, campaign } = await startCampaign(2);
    expect(await store.campaigns.feed()).toBe(2);
    expect((await campaign.get()).get('is_fed')).toBe(true);
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(0);
    // The campaigns, and the count of what waits.
    expect(database.calls).toMatchObject({ documentReads: 1, aggregationReads: 1, writes: 0 });
    const retried = await claimed(store);
    await claimed(store);
    await store.mails.recordOutcome(retried, { state: 'queued', retryAt: NOW + 1, reason: '451' });
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(0);
    expect(database.calls.writes).toBe(0);
    expect(await store.campaigns.find(id)).toMatchObject({ state: 'sending' });
  });

  it('reads no one while there is no room for many', async () => {
    const { store } = await startCampaign(301);
    expect(await store.campaigns.feed()).toBe(300);
    database.calls.reset();
    expect(await store.campaigns.feed()).toBe(0);
    expect(database.calls).toMatchObject({ documentReads: 1, aggregationReads: 1 });
  });
});

it('claims a message of a campaign while it is being sent, and drops it once it is over', async () => {
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

it('counts an audience when the campaign begins, and messages from then on', async () => {
  const { store, id } = await startCampaign(1);
  await store.campaigns.create(CONTENT);
  database.calls.reset();
  // Three counts for the campaign that has started.
  expect(await store.campaigns.list()).toHaveLength(2);
  expect(database.calls.aggregationReads).toBe(3);
  await store.campaigns.change(id, 'paused');
  expect(database.calls.aggregationReads).toBe(3);
});
