import { randomUUID } from 'node:crypto';
import { DAY_MS, isId } from 'early-access-kit/core';
import {
  afterResend,
  type Clock,
  changeEndpoint,
  DELIVERY_LOG_MS,
  HEALTHY,
  LEASE_ENDED_REASON,
  requeued,
  type WebhookStore,
} from 'early-access-server/stores';
import type { Firestore } from 'firebase-admin/firestore';
import { changeAll, nextNumber, orStorageError, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { readRecord } from '../mail/message-document.ts';
import {
  claimDelivery,
  failQueued,
  findFirstDeliveries,
  listWebhooks,
  queryDeliveries,
  queryQueued,
  recordOutcome,
} from './deliveries.ts';
import { toDelivery, toWebhook } from './documents.ts';

export function firestoreWebhooks(firestore: Firestore, clock: Clock, leaseMs: number): WebhookStore {
  const webhooks = firestore.collection(COLLECTIONS.webhooks);
  const deliveries = firestore.collection(COLLECTIONS.webhookDeliveries);

  return {
    list: () => orStorageError(() => listWebhooks(firestore)),
    add: ({ url, secret, format, events }) =>
      transact(firestore, async (transaction) => {
        const number = await nextNumber(transaction, webhooks);
        const fields = { url, secret, format, events, created_at: clock(), ...HEALTHY };
        const ref = webhooks.doc(randomUUID());
        transaction.create(ref, { ...fields, events: [...events], number });
        return { id: ref.id, ...fields };
      }),
    change: (id, changes) => orStorageError(() => changeWebhook(firestore, id, changes, clock())),
    remove: (id) =>
      orStorageError(async () => {
        if (!isId(id)) return false;
        const { exists } = await webhooks.doc(id).get();
        await webhooks.doc(id).delete();
        await changeAll(
          firestore,
          queryDeliveries(firestore, id),
          (transaction, { ref }) => void transaction.delete(ref),
        );
        return exists;
      }),
    deliveries: (webhookId, limit) =>
      orStorageError(async () => {
        const newest = queryDeliveries(firestore, webhookId).orderBy('at', 'desc').limit(limit);
        return (await newest.get()).docs.map(toDelivery);
      }),
    resend: (id) => orStorageError(async () => isId(id) && (await resendDelivery(firestore, id, clock()))),
    claim: (busy = []) => orStorageError(() => claimDelivery(firestore, busy, { clock, leaseMs })),
    recordOutcome: (delivery, outcome) => orStorageError(() => recordOutcome(firestore, delivery, outcome, clock())),
    expireLeases: () =>
      orStorageError(() => {
        const now = clock();
        const lapsed = deliveries.where('state', '==', 'sending').where('lease_until', '<', now);
        return changeAll(firestore, lapsed, (transaction, { ref }) => {
          const reason = LEASE_ENDED_REASON;
          transaction.update(ref, { state: 'queued', next_attempt_at: now, reason, changed_at: now });
        });
      }),
    findNextDue: () =>
      orStorageError(async () => {
        const times = (await findFirstDeliveries(firestore)).map(({ at }) => at);
        return times.length === 0 ? null : Math.min(...times);
      }),
    prune: (limit) =>
      orStorageError(async () => {
        const old = deliveries
          .where('at', '<', clock() - DELIVERY_LOG_MS)
          .orderBy('at')
          .limit(limit);
        const { docs } = await old.get();
        const batch = firestore.batch();
        for (const { ref } of docs) batch.delete(ref);
        if (docs.length > 0) await batch.commit();
        return docs.length;
      }),
  };
}

/** Changes an endpoint and, as far as the change asks for it, what is queued for it. Returns whether the endpoint exists. */
async function changeWebhook(
  firestore: Firestore,
  id: string,
  changes: Parameters<WebhookStore['change']>[1],
  now: number,
): Promise<boolean> {
  if (!isId(id)) return false;
  const changed = await transact(firestore, async (transaction) => {
    const document = await transaction.get(firestore.collection(COLLECTIONS.webhooks).doc(id));
    if (!document.exists) return null;
    const change = changeEndpoint(toWebhook(document), changes, now);
    const { url, format, events, failing_since, failures, paused_until, disabled_at } = change.endpoint;
    const health = { failing_since, failures, paused_until, disabled_at };
    transaction.update(document.ref, { url, format, events: [...events], ...health });
    return change;
  });
  if (changed?.hastensQueued) {
    await changeAll(
      firestore,
      queryQueued(firestore, id).where('next_attempt_at', '>', now),
      (transaction, { ref }) => {
        transaction.update(ref, { next_attempt_at: now });
      },
    );
  }
  if (changed?.queuesFailed) {
    const failed = queryDeliveries(firestore, id)
      .where('state', '==', 'failed')
      .where('at', '>', now - DAY_MS);
    await changeAll(firestore, failed, (transaction, document) => {
      transaction.update(document.ref, { ...requeued(readRecord(document), now) });
    });
  }
  if (changed?.failsQueued) await failQueued(firestore, id, now);
  return changed !== null;
}

/** Queues a delivery again, at once. Returns false if it is being sent, or if its endpoint is disabled or gone. */
function resendDelivery(firestore: Firestore, id: string, now: number): Promise<boolean> {
  return transact(firestore, async (transaction) => {
    const delivery = await transaction.get(firestore.collection(COLLECTIONS.webhookDeliveries).doc(id));
    if (!delivery.exists) return false;
    const webhookRef = firestore.collection(COLLECTIONS.webhooks).doc(toDelivery(delivery).webhook_id);
    const endpoint = await transaction.get(webhookRef);
    const next = requeued(readRecord(delivery), now);
    const webhook = endpoint.exists ? toWebhook(endpoint) : null;
    if (webhook?.disabled_at !== null || next === null) return false;
    transaction.update(delivery.ref, { ...next });
    transaction.update(endpoint.ref, { paused_until: afterResend(webhook).paused_until });
    return true;
  });
}
