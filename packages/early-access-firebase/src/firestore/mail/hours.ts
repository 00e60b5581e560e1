import { DAY_MS } from 'early-access-kit/internal';
import { computeQuota, type MessageKind, nextQuotaHour, quotaHour } from 'early-access-server/internal';
import { type DocumentReference, type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../documents.ts';
import { countShards, shardRefs } from '../shards.ts';

/** The minimum number of documents that an hour's attempts are counted in. */
const MIN_SHARDS = 4;
/** How long a count is available to admins, until a TTL policy deletes it. */
const STORED_MS = 7 * DAY_MS;

/** A share of an hour's mail quota. */
export interface QuotaShard {
  readonly ref: DocumentReference;
  /** The number of attempts that it allows. */
  readonly share: number;
}

/**
 * Returns the shards of the hour that contains `now` (`mail_hours/2026-03-01T14-0` and so on), for part of its quota.
 */
export function quotaShards(
  firestore: Firestore,
  mailsPerHour: number,
  now: number,
  quota = mailsPerHour,
): readonly QuotaShard[] {
  const refs = hourRefs(firestore, now, countHourShards(mailsPerHour));
  return refs
    .map((ref, index) => ({
      ref,
      share: Math.floor((quota + refs.length - 1 - index) / refs.length),
    }))
    .filter(({ share }) => share > 0);
}

/**
 * Returns when the next hour's quota starts if this hour's is spent, otherwise null. `kind`: for messages of this kind.
 * Uses the setting of the last attempt.
 */
export async function quotaSpentUntil(firestore: Firestore, now: number, kind?: MessageKind): Promise<number | null> {
  const first = await firestore.getAll(...hourRefs(firestore, now, MIN_SHARDS));
  const count = countHourShards(Math.max(...first.map((shard) => Number(shard.get('mails_per_hour') ?? 0))));
  const others = hourRefs(firestore, now, count).slice(MIN_SHARDS);
  const shards = [...first, ...(others.length === 0 ? [] : await firestore.getAll(...others))];
  const attempts = shards.reduce((sum, shard) => sum + countAttempts(shard), 0);
  const quotas = shards
    .map((shard): unknown => shard.get('mails_per_hour'))
    .filter((quota) => typeof quota === 'number');
  if (quotas.length === 0) return null;
  const quota = Math.max(...quotas);
  return attempts >= (kind === undefined ? quota : computeQuota(kind, quota)) ? nextQuotaHour(now) : null;
}

function countHourShards(mailsPerHour: number): number {
  return countShards(mailsPerHour / 3_600, MIN_SHARDS);
}

function hourRefs(firestore: Firestore, now: number, count: number): readonly DocumentReference[] {
  const hour = new Date(quotaHour(now)).toISOString().slice(0, 13);
  return shardRefs(firestore.collection(COLLECTIONS.mailHours), hour, count);
}

export function countAttempts(snapshot: DocumentSnapshot | undefined): number {
  const attempts: unknown = snapshot?.get('attempts');
  return typeof attempts === 'number' ? attempts : 0;
}

/** Returns the content of a shard after `attempts` attempts. */
export function hourDocument(attempts: number, mailsPerHour: number, now: number) {
  return { attempts, mails_per_hour: mailsPerHour, expires_at: Timestamp.fromMillis(now + STORED_MS) };
}
