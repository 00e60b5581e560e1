import type { CollectionReference, DocumentReference } from 'firebase-admin/firestore';

const MAX_SHARDS = 64;

/** Returns the number of documents for this many writes: a document sustains about one write per second. */
export function countShards(writesPerSecond: number, least = 1): number {
  return Math.min(MAX_SHARDS, Math.max(least, Math.ceil(writesPerSecond)));
}

/** Returns the documents `name-0`, `name-1` and so on. */
export function shardRefs(collection: CollectionReference, name: string, count: number): readonly DocumentReference[] {
  return Array.from({ length: count }, (_, index) => collection.doc(`${name}-${index}`));
}
