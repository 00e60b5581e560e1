import { randomUUID } from 'node:crypto';
import {
  afterAttempt,
  afterDelivery,
  beginAttempt,
  type ClaimedDelivery,
  type Clock,
  DISABLED_REASON,
  disabledNotice,
  isDue,
  type Webhook,
  type WebhookStore,
} from 'early-access-server/internal';
import type { DocumentReference, Firestore, Query } from 'firebase-admin/firestore';
import { changeAll, type DocumentReader, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { queueNotices, readRecord } from '../message-document.ts';
import { readHealth, toDelivery, toWebhook } from './documents.ts';

/** Returns the endpoints, oldest first. There are few, so each is queried for due deliveries. */
export async function listWebhooks(firestore: Firestore): Promise<readonly Webhook[]> {
  return (await firestore.collection(COLLECTIONS.webhooks).orderBy('number').get()).docs.map(toWebhook);
}

export function queryDeliveries(firestore: Firestore, webhookId: string): Query {
  return firestore.collection(COLLECTIONS.webhookDeliveries).where('webhook_id', '==', webhookId);
}

export function queryQueued(firestore: Firestore, webhookId: string): Query {
  return queryDeliveries(firestore, webhookId).where('state', '==', 'queued');
}

/** Returns the next delivery of each enabled endpoint: its id, and when it may start. */
export async function findFirstDeliveries(firestore: Firestore) {
  const enabled = (await listWebhooks(firestore)).filter(({ disabled_at }) => disabled_at === null);
  const first = await Promise.all(
    enabled.map(async (webhook) => {
      const { docs } = await queryQueued(firestore, webhook.id).orderBy('next_attempt_at').limit(1).get();
      return docs.map((document) => {
        const { next_attempt_at } = readRecord(document);
        return { id: document.id, at: Math.max(next_attempt_at, webhook.paused_until), next_attempt_at, webhook };
      });
    }),
  );
  return first.flat().sort((a, b) => a.next_attempt_at - b.next_attempt_at);
}

/** Claims the most overdue delivery, except for endpoints in `busy`; null if none is due. */
export async function claimDelivery(firestore: Firestore, busy: readonly string[], clock: Clock, leaseMs: number) {
  const claimToken = randomUUID();
  for (;;) {
    const now = clock();
    const first = await findFirstDeliveries(firestore);
    const due = first.filter(({ at, webhook }) => at <= now && !busy.includes(webhook.id));
    if (due.length === 0) return null;
    for (const { id } of due) {
      const claimed = await transact(firestore, (tx) => startDelivery(tx, id, claimToken, clock(), leaseMs));
      if (claimed !== null) return claimed;
    }
  }
}

/** Reads a delivery and its endpoint; null if one of them is gone. */
export async function readDelivery(tx: Transaction, id: string) {
  const delivery = await tx.get(tx.collection(COLLECTIONS.webhookDeliveries).doc(id));
  if (!delivery.exists) return { delivery: null, webhook: null };
  const endpoint = await tx.get(webhookRef(tx, toDelivery(delivery).webhook_id));
  return { delivery, webhook: endpoint.exists ? toWebhook(endpoint) : null };
}

export function webhookRef(reader: DocumentReader, id: string): DocumentReference {
  return reader.collection(COLLECTIONS.webhooks).doc(id);
}

/** Claims this delivery; null if it is no longer due. */
async function startDelivery(tx: Transaction, id: string, claimToken: string, now: number, leaseMs: number) {
  const { delivery, webhook } = await readDelivery(tx, id);
  if (delivery === null || webhook?.disabled_at !== null || webhook.paused_until > now) return null;
  const stored = readRecord(delivery);
  // The response to the commit was lost, and the client ran the transaction again.
  const isOurs = delivery.get('claimed_by') === claimToken;
  if (!isOurs && !isDue(stored, now)) return null;
  const attempt = isOurs ? stored : beginAttempt(stored, now, leaseMs);
  if (!isOurs) tx.update(delivery.ref, { ...attempt, claimed_by: claimToken });
  const { state, attempts, reason, changed_at } = attempt;
  return { ...toDelivery(delivery), state, attempts, reason, changed_at, webhook, claimToken };
}

/**
 * Stores the outcome of an attempt and what it means for its endpoint. Returns `disabled` if the endpoint has been
 * disabled by it, with a notice to the recipients.
 */
export async function recordOutcome(
  firestore: Firestore,
  { id, webhook_id, claimToken }: ClaimedDelivery,
  outcome: Parameters<WebhookStore['recordOutcome']>[1],
  recipients: readonly string[],
  now: number,
): Promise<'recorded' | 'disabled'> {
  const deliveryRef = firestore.collection(COLLECTIONS.webhookDeliveries).doc(id);
  const { isDisabled, notice } = await transact(firestore, async (tx) => {
    const [delivery, endpoint] = await tx.getAll(deliveryRef, webhookRef(tx, webhook_id));
    if (delivery?.exists && delivery.get('claimed_by') === claimToken) {
      const next = afterAttempt(readRecord(delivery), outcome, now);
      if (next !== null) tx.update(delivery.ref, { ...next });
    }
    if (!endpoint?.exists) return { isDisabled: false, notice: null };
    const webhook = toWebhook(endpoint);
    const health = readHealth(afterDelivery(webhook, outcome, now));
    const isChanged = Object.entries(health).some(([field, value]) => endpoint.get(field) !== value);
    // Only if needed, because signups read the endpoints, too, and would wait for each write.
    if (isChanged) tx.update(endpoint.ref, health);
    const notice = disabledNotice(webhook, health, outcome);
    if (notice !== null) queueNotices(tx, recipients, notice, now);
    return { isDisabled: health.disabled_at !== null, notice };
  });
  // Also what was in progress while the endpoint was disabled.
  if (isDisabled) await failQueued(firestore, webhook_id, now);
  return notice === null ? 'recorded' : 'disabled';
}

/** Marks the queued deliveries of a disabled endpoint as failed. */
export function failQueued(firestore: Firestore, webhookId: string, now: number): Promise<number> {
  const changes = { state: 'failed', reason: DISABLED_REASON, changed_at: now };
  return changeAll(queryQueued(firestore, webhookId), (tx, { ref }) => tx.update(ref, changes));
}
