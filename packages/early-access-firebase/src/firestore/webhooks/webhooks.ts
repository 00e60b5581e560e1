import { randomUUID } from 'node:crypto';
import { isId } from 'early-access-kit/core';
import {
  afterAttempt,
  afterDelivery,
  afterResend,
  beginAttempt,
  type ClaimedDelivery,
  type Clock,
  changeEndpoint,
  DAY_MS,
  DELIVERY_LOG_MS,
  DISABLED_REASON,
  HEALTHY,
  isDue,
  LEASE_ENDED_REASON,
  requeued,
  type Webhook,
  type WebhookStore,
} from 'early-access-server/stores';
import type { Firestore, Query } from 'firebase-admin/firestore';
import { COLLECTIONS, changeAll, nextNumber, orStorageError, transact } from '../database.ts';
import { toDelivery, toMessage, toWebhook } from './documents.ts';

/** There are few endpoints, so each is asked for what is due. */
export function firestoreWebhooks(firestore: Firestore, clock: Clock, leaseMs: number): WebhookStore {
  const webhooks = firestore.collection(COLLECTIONS.webhooks);
  const deliveries = firestore.collection(COLLECTIONS.webhookDeliveries);
  const ofWebhook = (id: string) => deliveries.where('webhook_id', '==', id);
  const queuedFor = (id: string) => ofWebhook(id).where('state', '==', 'queued');

  async function list(): Promise<readonly Webhook[]> {
    return (await webhooks.orderBy('number').get()).docs.map(toWebhook);
  }

  /** What is due first for each endpoint that is neither disabled nor paused at `now`; the ids and the times. */
  async function firstDue(): Promise<{ readonly id: string; readonly at: number; readonly webhook: Webhook }[]> {
    const enabled = (await list()).filter(({ disabled_at }) => disabled_at === null);
    const first = await Promise.all(
      enabled.map(async (webhook) => {
        const { docs } = await queuedFor(webhook.id).orderBy('next_attempt_at').limit(1).get();
        return docs.map((document) => {
          const { next_attempt_at } = toMessage(document);
          return { id: document.id, at: Math.max(next_attempt_at, webhook.paused_until), next_attempt_at, webhook };
        });
      }),
    );
    return first.flat().sort((a, b) => a.next_attempt_at - b.next_attempt_at);
  }

  /** Claims this delivery; null if it is not due any more. */
  function begin(id: string, claimToken: string): Promise<ClaimedDelivery | null> {
    return transact(firestore, async (transaction) => {
      const now = clock();
      const delivery = await transaction.get(deliveries.doc(id));
      if (!delivery.exists) return null;
      const endpoint = await transaction.get(webhooks.doc(toDelivery(delivery).webhook_id));
      const webhook = endpoint.exists ? toWebhook(endpoint) : null;
      if (webhook === null || webhook.disabled_at !== null || webhook.paused_until > now) return null;
      const stored = toMessage(delivery);
      // The response to the commit was lost, and the client ran the transaction again.
      const isOurs = delivery.get('claimed_by') === claimToken;
      if (!isOurs && !isDue(stored, now)) return null;
      const begun = isOurs ? stored : beginAttempt(stored, now, leaseMs);
      if (!isOurs) transaction.update(delivery.ref, { ...begun, claimed_by: claimToken });
      const { state, attempts, reason, changed_at } = begun;
      return { ...toDelivery(delivery), state, attempts, reason, changed_at, webhook, claimToken };
    });
  }

  async function claim(busy: readonly string[]): Promise<ClaimedDelivery | null> {
    const claimToken = randomUUID();
    for (;;) {
      const now = clock();
      const due = (await firstDue()).filter(({ at, webhook }) => at <= now && !busy.includes(webhook.id));
      if (due.length === 0) return null;
      for (const { id } of due) {
        const claimed = await begin(id, claimToken);
        if (claimed !== null) return claimed;
      }
    }
  }

  async function recordOutcome(
    { id, webhook_id, claimToken }: ClaimedDelivery,
    outcome: Parameters<WebhookStore['recordOutcome']>[1],
  ): Promise<'recorded' | 'disabled'> {
    const now = clock();
    const [before, after] = await transact(firestore, async (transaction) => {
      const [delivery, endpoint] = await transaction.getAll(deliveries.doc(id), webhooks.doc(webhook_id));
      if (delivery?.exists && delivery.get('claimed_by') === claimToken) {
        const next = afterAttempt(toMessage(delivery), outcome, now);
        if (next !== null) transaction.update(delivery.ref, { ...next });
      }
      if (!endpoint?.exists) return [null, null];
      const webhook = toWebhook(endpoint);
      const { failing_since, failures, paused_until, disabled_at } = afterDelivery(webhook, outcome, now);
      const health = { failing_since, failures, paused_until, disabled_at };
      const isChanged = Object.entries(health).some(([field, value]) => endpoint.get(field) !== value);
      // Signups read the endpoints, too, and would wait for each write.
      if (isChanged) transaction.update(endpoint.ref, health);
      return [webhook, health];
    });
    // Also what was in progress while the endpoint was disabled.
    if (after !== null && after.disabled_at !== null) await failQueued(webhook_id, now);
    return before?.disabled_at === after?.disabled_at ? 'recorded' : 'disabled';
  }

  function failQueued(webhookId: string, now: number): Promise<number> {
    return changeAll(firestore, queuedFor(webhookId), (transaction, { ref }) => {
      transaction.update(ref, { state: 'failed', reason: DISABLED_REASON, changed_at: now });
    });
  }

  function removeAll(query: Query): Promise<number> {
    return changeAll(firestore, query, (transaction, { ref }) => void transaction.delete(ref));
  }

  const change: WebhookStore['change'] = async (id, changes) => {
    const now = clock();
    if (!isId(id)) return false;
    const changed = await transact(firestore, async (transaction) => {
      const document = await transaction.get(webhooks.doc(id));
      if (!document.exists) return null;
      const change = changeEndpoint(toWebhook(document), changes, now);
      const { url, format, events, failing_since, failures, paused_until, disabled_at } = change.endpoint;
      const health = { failing_since, failures, paused_until, disabled_at };
      transaction.update(document.ref, { url, format, events: [...events], ...health });
      return change;
    });
    if (changed?.hastensQueued) {
      await changeAll(firestore, queuedFor(id).where('next_attempt_at', '>', now), (transaction, { ref }) => {
        transaction.update(ref, { next_attempt_at: now });
      });
    }
    if (changed?.queuesFailed) {
      const failed = ofWebhook(id)
        .where('state', '==', 'failed')
        .where('at', '>', now - DAY_MS);
      await changeAll(firestore, failed, (transaction, document) => {
        transaction.update(document.ref, { ...requeued(toMessage(document), now) });
      });
    }
    if (changed?.failsQueued) await failQueued(id, now);
    return changed !== null;
  };

  return {
    list: () => orStorageError(list),
    add: ({ url, secret, format, events }) =>
      orStorageError(() =>
        transact(firestore, async (transaction) => {
          const number = await nextNumber(transaction, webhooks);
          const fields = { url, secret, format, events, created_at: clock(), ...HEALTHY };
          const ref = webhooks.doc(randomUUID());
          transaction.create(ref, { ...fields, events: [...events], number });
          return { id: ref.id, ...fields };
        }),
      ),
    change: (id, changes) => orStorageError(() => change(id, changes)),
    remove: (id) =>
      orStorageError(async () => {
        if (!isId(id)) return false;
        const { exists } = await webhooks.doc(id).get();
        await webhooks.doc(id).delete();
        await removeAll(ofWebhook(id));
        return exists;
      }),
    deliveries: (webhookId, limit) =>
      orStorageError(async () => {
        const newest = ofWebhook(webhookId).orderBy('at', 'desc').limit(limit);
        return (await newest.get()).docs.map(toDelivery);
      }),
    resend: (id) =>
      orStorageError(() =>
        transact(firestore, async (transaction) => {
          if (!isId(id)) return false;
          const delivery = await transaction.get(deliveries.doc(id));
          if (!delivery.exists) return false;
          const endpoint = await transaction.get(webhooks.doc(toDelivery(delivery).webhook_id));
          const next = requeued(toMessage(delivery), clock());
          const webhook = endpoint.exists ? toWebhook(endpoint) : null;
          if (webhook?.disabled_at !== null || next === null) return false;
          transaction.update(delivery.ref, { ...next });
          transaction.update(endpoint.ref, { paused_until: afterResend(webhook).paused_until });
          return true;
        }),
      ),
    claim: (busy = []) => orStorageError(() => claim(busy)),
    recordOutcome: (delivery, outcome) => orStorageError(() => recordOutcome(delivery, outcome)),
    expireLeases: () =>
      orStorageError(() => {
        const now = clock();
        const lapsed = deliveries.where('state', '==', 'sending').where('lease_until', '<', now);
        return changeAll(firestore, lapsed, (transaction, { ref }) => {
          const reason = LEASE_ENDED_REASON;
          transaction.update(ref, { state: 'queued', next_attempt_at: now, reason, changed_at: now });
        });
      }),
    nextDueAt: () =>
      orStorageError(async () => {
        const times = (await firstDue()).map(({ at }) => at);
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
