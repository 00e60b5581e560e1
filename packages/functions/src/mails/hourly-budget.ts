import { type DocumentReference, type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { HOUR_MS } from '../clock.ts';
import { COLLECTIONS } from '../collections.ts';

/** A document takes about one write a second for long; each of these is written once per mail that falls to it. */
const SHARDS = 4;
/** How long a count is kept for the owner to look at, until a TTL policy deletes it. */
const KEPT_MS = 7 * 24 * HOUR_MS;

/** A part of an hour's budget. */
export interface BudgetShard {
  readonly ref: DocumentReference;
  /** How many attempts fall to it. */
  readonly share: number;
}

/** The parts of the hour in which `now` lies: `mail_hours/2026-03-01T14-0` and so on. */
export function budgetShards(firestore: Firestore, mailsPerHour: number, now: number): readonly BudgetShard[] {
  const hour = new Date(now).toISOString().slice(0, 13);
  return Array.from({ length: SHARDS }, (_, index) => ({
    ref: firestore.collection(COLLECTIONS.mailHours).doc(`${hour}-${index}`),
    share: Math.floor((mailsPerHour + SHARDS - 1 - index) / SHARDS),
  })).filter(({ share }) => share > 0);
}

/** How many of a part are spent. */
export function spentOf(snapshot: DocumentSnapshot): number {
  const spent: unknown = snapshot.get('attempts');
  return typeof spent === 'number' ? spent : 0;
}

/** What the part holds once it has so many. */
export function spending(spent: number, now: number) {
  return { attempts: spent, expires_at: Timestamp.fromMillis(now + KEPT_MS) };
}
