import { randomUUID } from 'node:crypto';
import { DAY_MS, isId } from 'early-access-kit/internal';
import {
  afterResend,
  type Clock,
  changeEndpoint,
  DELIVERY_LOG_MS,
  HEALTHY,
  LEASE_ENDED_REASON,
  nameEndpoint,
  requeued,
  type WebhookStore,
} from 'early-access-server/internal';
import type { Firestore } from 'firebase-admin/firestore';
import {
  changeAll,
  countDocuments,
  deleteFirst,
  nextNumber,
  type Transaction,
  transact,
  withStorageErrors,
} from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { readRecord } from '../message-document.ts';
import {
  claimDelivery,
  failQueued,
  findFirstDeliveries,
  listWebhooks,
  queryDeliveries,
  queryQueued,
  readDelivery,
  recordOutcome,
  webhookRef,
} from './deliveries.ts';
import { readHealth, toDelivery, toWebhook } from './documents.ts';

export function firestoreWebhooks(firestore: Firestore, clock: Clock, leaseMs: number): WebhookStore {
  const webhooks = firestore.collection(COLLECTIONS.webhooks);
  const deliveries = firestore.collection(COLLECTIONS.webhookDeliveries);
  return withStorageErrors({
    list: () => listWebhooks(firestore),
    add: ({ name = '', url, secret, format, events }) =>
      transact(firestore, async (tx) => {
        const number = await nextNumber(tx, webhooks);
        const endpoint = { name: nameEndpoint(name, url), url, secret, format, events };
        const fields = { ...endpoint, created_at: clock(), ...HEALTHY };
        const ref = webhooks.doc(randomUUID());
        tx.create(ref, { ...fields, events: [...events], number });
        return { id: ref.id, ...fields };
      }),
    change: (id, changes) => changeWebhook(firestore, id, changes, clock()),
    async remove(id) {
      if (!isId(id)) return false;
      const { exists } = await webhooks.doc(id).get();
      await webhooks.doc(id).delete();
      await changeAll(queryDeliveries(firestore, id), (tx, { ref }) => tx.delete(ref));
      return exists;
    },
    async deliveries(webhookId, limit) {
      const newest = queryDeliveries(firestore, webhookId).orderBy('at', 'desc').limit(limit);
      return (await newest.get()).docs.map(toDelivery);
    },
    resend: async (id) => isId(id) && transact(firestore, (tx) => resendDelivery(tx, id, clock())),
    claim: (busy = []) => claimDelivery(firestore, busy, clock, leaseMs),
    recordOutcome: (delivery, outcome, recipients) => recordOutcome(firestore, delivery, outcome, recipients, clock()),
    async expireLeases() {
      const now = clock();
      const lapsed = deliveries.where('state', '==', 'sending').where('lease_until', '<', now);
      const changes = { state: 'queued', next_attempt_at: now, reason: LEASE_ENDED_REASON, changed_at: now };
      return changeAll(lapsed, (tx, { ref }) => tx.update(ref, changes));
    },
    async backlog() {
      const count = (state: 'queued' | 'sending') => countDocuments(deliveries.where('state', '==', state));
      const [queued, sending] = await Promise.all([count('queued'), count('sending')]);
      return { queued, sending };
    },
    async findNextDue() {
      const times = (await findFirstDeliveries(firestore)).map(({ at }) => at);
      return times.length === 0 ? null : Math.min(...times);
    },
    prune: async (limit) => deleteFirst(deliveries.where('at', '<', clock() - DELIVERY_LOG_MS).orderBy('at'), limit),
  });
}

/** Changes an endpoint and, if the change requires it, its queued deliveries. Returns whether the endpoint exists. */
async function changeWebhook(
  firestore: Firestore,
  id: string,
  changes: Parameters<WebhookStore['change']>[1],
  now: number,
): Promise<boolean> {
  if (!isId(id)) return false;
  const changed = await transact(firestore, async (tx) => {
    const document = await tx.get(firestore.collection(COLLECTIONS.webhooks).doc(id));
    if (!document.exists) return null;
    const change = changeEndpoint(toWebhook(document), changes, now);
    const { name, url, format, events } = change.endpoint;
    tx.update(document.ref, { name, url, format, events: [...events], ...readHealth(change.endpoint) });
    return change;
  });
  if (changed?.hastensQueued) {
    const later = queryQueued(firestore, id).where('next_attempt_at', '>', now);
    await changeAll(later, (tx, { ref }) => tx.update(ref, { next_attempt_at: now }));
  }
  if (changed?.queuesFailed) {
    const failed = queryDeliveries(firestore, id).where('state', '==', 'failed');
    await changeAll(failed.where('at', '>', now - DAY_MS), (tx, document) =>
      tx.update(document.ref, { ...requeued(readRecord(document), now) }),
    );
  }
  if (changed?.failsQueued) await failQueued(firestore, id, now);
  return changed !== null;
}

/** Queues a delivery again for now. Returns false if it is being sent, or if its endpoint is disabled or gone. */
async function resendDelivery(tx: Transaction, id: string, now: number): Promise<boolean> {
  const { delivery, webhook } = await readDelivery(tx, id);
  const next = delivery && requeued(readRecord(delivery), now);
  if (!next || webhook?.disabled_at !== null) return false;
  tx.update(delivery.ref, { ...next });
  tx.update(webhookRef(tx, webhook.id), { paused_until: afterResend(webhook).paused_until });
  return true;
}
