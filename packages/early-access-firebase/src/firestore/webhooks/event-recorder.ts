import { randomUUID } from 'node:crypto';
import { DISABLED_REASON, type EventType, newMessage } from 'early-access-server/stores';
import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../documents.ts';
import type { DeliveryDocument } from './documents.ts';

/**
 * Prepares to queue an event for every endpoint that wants it: reads now, and writes when the returned function is called, in the same
 * transaction, so that an event is recorded if and only if it happened. Without endpoints one read is billed.
 */
export async function prepareRecord(
  firestore: Firestore,
  transaction: Transaction,
  type: EventType,
): Promise<(personId: string, now: number) => void> {
  const wanted = firestore.collection(COLLECTIONS.webhooks).where('events', 'array-contains', type);
  const { docs: endpoints } = await transaction.get(wanted);
  return (person, now) => {
    const message = newMessage(randomUUID(), now);
    for (const endpoint of endpoints) {
      const isDisabled = endpoint.get('disabled_at') !== null;
      const delivery: DeliveryDocument = {
        ...message,
        ...(isDisabled && { state: 'failed', reason: DISABLED_REASON }),
        webhook_id: endpoint.id,
        type,
        at: now,
        person,
      };
      transaction.create(firestore.collection(COLLECTIONS.webhookDeliveries).doc(), { ...delivery });
    }
  };
}

/** Prepares to delete a person's deliveries, except the event of their erasure. */
export async function prepareRemoval(firestore: Firestore, transaction: Transaction, personId: string) {
  const deliveries = firestore.collection(COLLECTIONS.webhookDeliveries).where('person', '==', personId);
  const { docs } = await transaction.get(deliveries);
  return () => {
    for (const { ref } of docs.filter((delivery) => delivery.get('type') !== 'person.erased')) transaction.delete(ref);
  };
}
