import { type Clock, findClosed, isListClosed, type ListStatusStore } from 'early-access-server/internal';
import type { Firestore } from 'firebase-admin/firestore';
import { countDocuments, pages, readAtOnce, withStorageErrors } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { createSignup } from './enrolment.ts';
import { readStatus, statusRef } from './list-status.ts';
import { toRequest } from './opening-requests.ts';

const PAGE = 500;

export function firestoreListStatus(firestore: Firestore, clock: Clock, welcomeEmail: boolean): ListStatusStore {
  const oldest = firestore.collection(COLLECTIONS.openingRequests).orderBy('created_at');
  const read = () => readAtOnce(firestore, async (tx) => readStatus(tx, await tx.get(statusRef(tx)), clock()));
  return withStorageErrors<ListStatusStore>({
    read,
    async save(status) {
      const { mode, closes_at, max_people } = status;
      // Read by the rules. They cannot count, so a list with a limit is closed to signups that browsers write.
      const accepts_until = mode !== 'open' || max_people !== null ? 0 : closes_at;
      await statusRef(firestore).set({ data: JSON.stringify(status), accepts_until });
    },
    countRequests: () => countDocuments(oldest),
    async *requests() {
      for await (const page of pages(oldest, PAGE)) yield* page.map(toRequest);
    },
    async admitRequests(limit) {
      const { status, people } = await read();
      if (findClosed(status, people, clock()) !== null) return 0;
      const { docs } = await oldest.limit(limit).get();
      for (const [admitted, document] of docs.entries()) {
        const { signup, language, network } = toRequest(document);
        const options = { confirm: true, welcomeEmail, language, network, now: clock(), ofRequest: true };
        if (isListClosed(await createSignup(firestore, signup, options))) return admitted;
      }
      return docs.length;
    },
  });
}
