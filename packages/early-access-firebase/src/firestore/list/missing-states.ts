import type { Clock } from 'early-access-server/stores';
import { FieldPath, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { signupTime } from '../signups.ts';
import { enrol } from './enrolment.ts';
import { documentsOf, firstFields, storedState } from './person.ts';

const PAGE = 200;
/** For so long a trigger is tried again, so that a signup of an earlier release may have no message yet. */
const TRIGGER_MS = 86_400_000;
/** Documents may become visible a little later than others with a later time. */
const VISIBLE_MS = 60_000;

/**
 * Goes through all signups once, oldest first, and then through new ones: those of earlier releases become subscribed, and those that a
 * trigger has failed to process get their state and their first message. The progress is stored after each page.
 */
export async function storeMissingStates(
  firestore: Firestore,
  clock: Clock,
  confirm: boolean,
  hasTime: () => boolean,
): Promise<void> {
  const progress = firestore.collection(COLLECTIONS.listProgress).doc('states');
  const stored = await progress.get();
  const since = Number(stored.get('since') ?? clock());
  let position: unknown = stored.get('position') ?? null;
  while (hasTime()) {
    const all = firestore.collection(COLLECTIONS.signups).orderBy('created_at').orderBy(FieldPath.documentId());
    const { docs } = await (Array.isArray(position) ? all.startAfter(...position) : all).limit(PAGE).get();
    const missing = docs.filter((document) => storedState(document) === null);
    const isEarlier = ({ created_at }: FirebaseFirestore.DocumentData) =>
      signupTime({ created_at }) < since - TRIGGER_MS;
    const left = missing.map(({ id }) => documentsOf(firestore, id).left);
    const former = left.length === 0 ? [] : await firestore.getAll(...left);
    const earlier = missing.filter((document, index) => isEarlier(document.data()) && !former[index]?.exists);
    if (earlier.length > 0) {
      await transact(firestore, async (transaction) => {
        const current = await transaction.getAll(...earlier.map(({ ref }) => ref));
        for (const signup of current) {
          if (signup.exists && storedState(signup) === null)
            transaction.update(signup.ref, { ...firstFields('subscribed') });
        }
      });
    }
    for (const document of missing) {
      if (!earlier.includes(document)) await enrol(firestore, document.id, { confirm, now: clock() });
    }
    const settled = docs.findLast((document) => signupTime(document.data()) < clock() - VISIBLE_MS);
    if (settled !== undefined) {
      const createdAt: unknown = settled.get('created_at');
      position = [createdAt instanceof Timestamp ? createdAt : Timestamp.fromMillis(0), settled.id];
      await progress.set({ since, position });
    }
    if (settled === undefined) return;
  }
}
