import {
  findClosed,
  type ListClosed,
  type ListStatusNow,
  needsPeople,
  PLACE_STATES,
  readListStatus,
} from 'early-access-server/internal';
import type { DocumentReference, DocumentSnapshot } from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { textOrNull } from '../fields.ts';

/** Without this document, the list is open. */
export function statusRef(reader: DocumentReader): DocumentReference {
  return reader.collection(COLLECTIONS.listStatus).doc('status');
}

/** Returns the status that the transaction has read, with the number of people who take a place. */
export async function readStatus(
  tx: Transaction,
  snapshot: DocumentSnapshot | undefined,
  now: number,
): Promise<ListStatusNow> {
  const status = readListStatus(snapshot?.exists ? textOrNull(snapshot, 'data') : null);
  if (!needsPeople(status, now)) return { status, people: 0 };
  const people = tx.collection(COLLECTIONS.signups).where('state', 'in', PLACE_STATES);
  return { status, people: await tx.count(people.limit(status.max_people)) };
}

/**
 * Takes a place for a new person, using the status that the transaction has read. Returns null if they have one. While
 * places are limited, each signup writes the status, so that of two signups for the last place one is repeated.
 */
export async function takePlace(
  tx: Transaction,
  snapshot: DocumentSnapshot | undefined,
  now: number,
): Promise<ListClosed | null> {
  const { status, people } = await readStatus(tx, snapshot, now);
  const closed = findClosed(status, people, now);
  if (closed === null && needsPeople(status, now)) tx.update(statusRef(tx), { last_place_at: now });
  return closed;
}
