import { DAY_MS } from 'early-access-kit/internal';
import { computeQuota, type MessageKind, nextQuotaHour, quotaHour } from 'early-access-server/internal';
import { type DocumentReference, type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../documents.ts';
import { countShards, shardRefs } from '../shards.ts';

/** The attempts of an hour are counted in several documents, at least these. */
const MIN_SHARDS = 4;
/** How long a count is stored for the admin, until a TTL policy deletes it. */
const STORED_MS = 7 * DAY_MS;

/** A share of an hour's mail quota. */
export interface QuotaShard {
  readonly ref: DocumentReference;
  /** The number of attempts that it allows. */
  readonly share: number;
}

/**
 * The shards of the hour that contains `now`, `mail_hours/2026-03-01T14-0` and so on, with the shares of a part of the
 * hour's quota.
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
 * When the next hour's quota starts if this hour's is spent, for messages of one kind if it is given, by the setting
 * that the last attempt knew; otherwise null.
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
