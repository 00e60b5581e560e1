import type { FirestoreProxy } from '@early-access-kit/testkit/firestore-proxy';
import { type DatabaseUnderTest, runStoreContract } from 'early-access-server/testing';
import { afterAll, beforeAll } from 'vitest';
import { type FirestoreClient, openDatabase, startProxy } from '../fixtures/firestore.ts';
import { firestoreStore } from './firestore-store.ts';

/** High enough for all data of the suite, which has no schedule for the archive. `analytics.test.ts` tests that. */
const LIVE_READS = { sessions: 2_000, moreSessions: 0, signups: 2_000, left: 2_000 };

let proxy: FirestoreProxy;
beforeAll(async () => {
  proxy = await startProxy();
});
afterAll(() => proxy.close());

runStoreContract({
  name: 'Firestore, in Google’s emulator',
  // The emulator's transactions wait two seconds for a lock before they give up.
  concurrent: true,
  histories: 2,
  createDatabase() {
    const database = openDatabase(proxy);
    return { ...toDatabase(database), close: database.close };
  },
});

function toDatabase({
  firestore,
  readSignups,
  readSessions,
  readMessages,
}: FirestoreClient): Omit<DatabaseUnderTest, 'close'> {
  return {
    open: (options) => firestoreStore({ firestore, ...options, summaryMaxAgeMs: 0, liveReads: LIVE_READS }),
    readBack: { signups: readSignups, sessions: readSessions, messages: readMessages },
  };
}
