import { randomUUID } from 'node:crypto';
import { MAX_SEGMENTS, readSegment, type SavedSegment, type SegmentStore } from 'early-access-server/internal';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { transact, withStorageErrors } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { text } from '../fields.ts';

/** Each change reads all segments (at most `MAX_SEGMENTS`), so that two cannot have the same name. */
export function firestoreSegments(firestore: Firestore): SegmentStore {
  const segments = firestore.collection(COLLECTIONS.segments);
  return withStorageErrors({
    list: async () => (await segments.orderBy('name').get()).docs.map(toSavedSegment),
    add: (name, conditions) =>
      transact(firestore, async (tx) => {
        const saved = await tx.find(segments);
        if (saved.length >= MAX_SEGMENTS) return 'full';
        if (saved.some((segment) => segment.get('name') === name)) return 'taken';
        const id = randomUUID();
        tx.create(segments.doc(id), { name, conditions: JSON.stringify(conditions) });
        return { id, name, conditions };
      }),
    rename: (id, name) =>
      transact(firestore, async (tx) => {
        const saved = await tx.find(segments);
        if (saved.some((segment) => segment.get('name') === name && segment.id !== id)) return 'taken';
        const found = saved.find((segment) => segment.id === id);
        if (found !== undefined) tx.update(found.ref, { name });
        return found === undefined ? 'gone' : 'renamed';
      }),
    remove: (id) =>
      transact(firestore, async (tx) => {
        const found = (await tx.find(segments)).find((segment) => segment.id === id);
        if (found !== undefined) tx.delete(found.ref);
        return found !== undefined;
      }),
  });
}

function toSavedSegment(segment: DocumentSnapshot): SavedSegment {
  return {
    id: segment.id,
    name: text(segment, 'name'),
    conditions: readSegment(JSON.parse(text(segment, 'conditions'))),
  };
}
