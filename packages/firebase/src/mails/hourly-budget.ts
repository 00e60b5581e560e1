import { nextQuotaHour, quotaHour } from 'early-access-server/app';
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
  return shardRefs(firestore, now)
    .map((ref, index) => ({
      ref,
      share: Math.floor((mailsPerHour + SHARDS - 1 - index) / SHARDS),
    }))
    .filter(({ share }) => share > 0);
}

/**
 * When the next hour's quota starts if this hour's is spent, as far as the last attempt knew the setting; otherwise null.
 * For the owner's commands, which do not know the functions' parameters.
 */
export async function quotaSpentUntil(firestore: Firestore, now: number): Promise<number | null> {
  const shards = await firestore.getAll(...shardRefs(firestore, now));
  const attempts = shards.reduce((sum, shard) => sum + spentOf(shard), 0);
  const quotas = shards
    .map((shard): unknown => shard.get('mails_per_hour'))
    .filter((quota) => typeof quota === 'number');
  return quotas.length > 0 && attempts >= Math.max(...quotas) ? nextQuotaHour(now) : null;
}

function shardRefs(firestore: Firestore, now: number): readonly DocumentReference[] {
  const hour = new Date(quotaHour(now)).toISOString().slice(0, 13);
  const hours = firestore.collection(COLLECTIONS.mailHours);
  return Array.from({ length: SHARDS }, (_, index) => hours.doc(`${hour}-${index}`));
}

/** How many of a part are spent. */
export function spentOf(snapshot: DocumentSnapshot): number {
  const spent: unknown = snapshot.get('attempts');
  return typeof spent === 'number' ? spent : 0;
}

/** What the part holds once it has so many. The owner's `mail` command tells by the quota whether the hour is spent. */
export function spending(spent: number, mailsPerHour: number, now: number) {
  return { attempts: spent, mails_per_hour: mailsPerHour, expires_at: Timestamp.fromMillis(now + KEPT_MS) };
}
