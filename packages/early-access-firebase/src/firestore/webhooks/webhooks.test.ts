import { exampleSignup } from 'early-access-server/fixtures';
import type { Webhook } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { beforeNextTransaction, firestoreOfFile } from '../../fixtures/firestore.ts';
import { firestoreStore } from '../firestore-store.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const database = await firestoreOfFile(NOW);

/** Creates a store with one due event for each of two endpoints. */
async function twoDue() {
  const store = firestoreStore({ firestore: database.firestore, clock: () => NOW });
  const endpoint = { url: 'https://hooks.example.com/', secret: 'whsec_c2VjcmV0', format: 'json' } as const;
  const webhooks = [
    await store.webhooks.add({ ...endpoint, events: ['signup.created'] }),
    await store.webhooks.add({ ...endpoint, events: ['signup.created'] }),
  ] as const;
  await store.createSignup(exampleSignup());
  return { store, webhooks };
}

const webhookRef = ({ id }: Webhook) => database.firestore.doc(`webhooks/${id}`);

it.each([
  ['is deleted', (webhook: Webhook) => database.firestore.recursiveDelete(webhookRef(webhook))],
  ['is disabled', (webhook: Webhook) => webhookRef(webhook).update({ disabled_at: NOW })],
  ['is paused', (webhook: Webhook) => webhookRef(webhook).update({ paused_until: NOW + 1 })],
])('claims the next event if the endpoint of the first one %s in the meantime', async (_, change) => {
  const { store, webhooks } = await twoDue();
  beforeNextTransaction(database, () => change(webhooks[0]));
  expect(await store.webhooks.claim()).toMatchObject({ webhook_id: webhooks[1].id });
});

it('claims nothing of a disabled endpoint, also if the process ended before what was queued had failed', async () => {
  const { store, webhooks } = await twoDue();
  for (const webhook of webhooks) await webhookRef(webhook).update({ disabled_at: NOW });
  expect([await store.webhooks.claim(), await store.webhooks.findNextDue()]).toEqual([null, null]);
});

it('counts one attempt if the response to a claim is lost', async () => {
  const { store, webhooks } = await twoDue();
  database.faults.next({ verb: 'commit', drop: 'after' });
  expect(await store.webhooks.claim()).toMatchObject({ webhook_id: webhooks[0].id, attempts: 1 });
  expect(await store.webhooks.claim([webhooks[1].id])).toBeNull();
});

it('writes nothing to a working endpoint, because signups read it, too', async () => {
  const { store } = await twoDue();
  const claimed = await store.webhooks.claim();
  if (claimed === null) throw new Error('nothing is due');
  database.calls.reset();
  await store.webhooks.recordOutcome(claimed, { state: 'sent' }, []);
  expect(database.calls.writes).toBe(1);
});
