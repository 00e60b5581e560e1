import type { Clock } from 'early-access-server/stores';
import { FieldPath, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../documents.ts';
import { signupTime } from '../signups.ts';
import { enrol } from './enrolment.ts';
import { storedState } from './person.ts';

const PAGE = 200;
/** Documents may become visible a little later than others with a later time. */
const VISIBLE_MS = 60_000;

/**
 * Goes through all signups once, oldest first, and then through new ones: those that a trigger has failed to process get their state and
 * their first message. The progress is stored after each page.
 */
export async function storeMissingStates(
  firestore: Firestore,
  clock: Clock,
  confirm: boolean,
  hasTime: () => boolean,
): Promise<void> {
  const progress = firestore.collection(COLLECTIONS.listProgress).doc('states');
  const stored = await progress.get();
  let position: unknown = stored.get('position') ?? null;
  while (hasTime()) {
    const all = firestore.collection(COLLECTIONS.signups).orderBy('created_at').orderBy(FieldPath.documentId());
    const { docs } = await (Array.isArray(position) ? all.startAfter(...position) : all).limit(PAGE).get();
    for (const document of docs) {
      if (storedState(document) === null) await enrol(firestore, document.id, { confirm, now: clock() });
    }
    const settled = docs.findLast((document) => signupTime(document.data()) < clock() - VISIBLE_MS);
    if (settled !== undefined) {
      const createdAt: unknown = settled.get('created_at');
      position = [createdAt instanceof Timestamp ? createdAt : Timestamp.fromMillis(0), settled.id];
      await progress.set({ position });
    }
    if (settled === undefined) return;
  }
}
