import { mapTallies, TALLIES, type Tallies, type Tally } from 'early-access-server/internal';
import { type DocumentData, type DocumentSnapshot, FieldValue, type Firestore } from 'firebase-admin/firestore';
import type { DocumentReader, Transaction } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { startOfDay } from './count.ts';

/** One document for all tallies, each a map by UTC day. It is named `robots`, and the map of bots is named `days`. */
export function talliesRef(reader: DocumentReader) {
  return reader.collection(COLLECTIONS.analytics).doc('robots');
}

function toFieldName(tally: Tally): string {
  return tally === 'robots' ? 'days' : tally;
}

export async function addTallies(firestore: Firestore, tallies: Tallies, now: number): Promise<void> {
  await talliesRef(firestore).set(toFields(tallies, now), { merge: true });
}

export function addTalliesIn(tx: Transaction, tallies: Tallies, now: number): void {
  tx.set(talliesRef(tx), toFields(tallies, now), { merge: true });
}

function toFields(tallies: Tallies, now: number): DocumentData {
  const day = new Date(now).toISOString().slice(0, 10);
  const counted = TALLIES.filter((tally) => tallies[tally] > 0);
  return Object.fromEntries(
    counted.map((tally) => [toFieldName(tally), { [day]: FieldValue.increment(tallies[tally]) }]),
  );
}

/** Returns the tallies of the UTC days that overlap with the period; null if nothing was ever counted. */
export function talliesWithin(document: DocumentSnapshot, start: number, end: number): Tallies | null {
  if (!document.exists) return null;
  return mapTallies((tally) => {
    const days: unknown = document.get(toFieldName(tally));
    if (typeof days !== 'object' || days === null) return 0;
    return Object.entries(days)
      .filter(([day]) => Date.parse(day) >= startOfDay(start) && Date.parse(day) < end)
      .reduce((sum, [, count]) => sum + Number(count), 0);
  });
}
