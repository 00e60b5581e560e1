import { type BulkRecord, type BulkStore, readBulk } from 'early-access-server/internal';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { text, textList } from './fields.ts';

/** Actions on many people (`bulk_jobs/{number}`), and the people that remain (`bulk_parts/{number}-{part}`). */
export function firestoreBulk(firestore: Firestore): BulkStore {
  const jobs = firestore.collection(COLLECTIONS.bulkJobs);
  const parts = firestore.collection(COLLECTIONS.bulkParts);
  const newest = jobs.orderBy('number', 'desc');
  return withStorageErrors({
    list: async (limit) => (await newest.limit(limit).get()).docs.map(toRecord),
    update: (decide) =>
      transact(firestore, async (tx) => {
        const [stored] = await tx.find(newest.limit(1));
        const { record, added, removed = [], result } = decide(stored === undefined ? null : toRecord(stored));
        if (record === null) return result;
        const { number } = record;
        tx.set(jobs.doc(String(number)), { number, data: JSON.stringify(record) });
        if (added !== undefined) tx.create(parts.doc(`${number}-${added.part}`), { ids: [...added.ids] });
        for (const part of removed) tx.delete(parts.doc(`${number}-${part}`));
        return result;
      }),
    async part(number, part) {
      const stored = await parts.doc(`${number}-${part}`).get();
      return stored.exists ? textList(stored, 'ids') : [];
    },
  });
}

function toRecord(document: DocumentSnapshot): BulkRecord {
  return readBulk(text(document, 'data'));
}
