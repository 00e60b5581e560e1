import { randomUUID } from 'node:crypto';
import { DISABLED_REASON, type EventType, newMessage } from 'early-access-server/internal';
import type { Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';

/**
 * Queues an event for every endpoint that subscribes to it. The event is recorded if and only if the transaction is
 * committed. Without endpoints, one read is billed.
 */
export async function recordEvent(tx: Transaction, type: EventType, person: string, now: number): Promise<void> {
  const wanted = tx.collection(COLLECTIONS.webhooks).where('events', 'array-contains', type);
  const message = newMessage(randomUUID(), now);
  for (const endpoint of await tx.find(wanted)) {
    const isDisabled = endpoint.get('disabled_at') !== null;
    tx.create(tx.collection(COLLECTIONS.webhookDeliveries).doc(), {
      ...message,
      ...(isDisabled && { state: 'failed', reason: DISABLED_REASON }),
      webhook_id: endpoint.id,
      type,
      at: now,
      person,
    });
  }
}

/** Deletes a person's deliveries, except the event of their erasure. */
export async function removeDeliveries(tx: Transaction, personId: string): Promise<void> {
  const deliveries = tx.collection(COLLECTIONS.webhookDeliveries).where('person', '==', personId);
  for (const delivery of await tx.find(deliveries)) {
    if (delivery.get('type') !== 'person.erased') tx.delete(delivery.ref);
  }
}
