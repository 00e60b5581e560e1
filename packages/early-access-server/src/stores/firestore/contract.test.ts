import { afterAll, beforeAll } from 'vitest';
import { type FirestoreFixture, startFirestore } from '../../fixtures/firestore.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { firestoreStore } from './firestore-store.ts';

/** More than the suite stores: it knows no schedule that brings the archive up to date, which `analytics.test.ts` checks. */
const LIVE_READS = { sessions: 2_000, moreSessions: 0, signups: 2_000, left: 2_000 };

let now = Date.now;
let database: FirestoreFixture;

beforeAll(async () => {
  database = await startFirestore(() => now());
});
afterAll(() => database.close());

runStoreContract({
  name: 'Firestore',
  createDatabase(clock) {
    now = clock;
    database.fake.store.clear();
    const { firestore, readSessions, readSignups, readMessages } = database;
    return {
      open: (options) => firestoreStore({ firestore, ...options, summaryMaxAgeMs: 0, liveReads: LIVE_READS }),
      readBack: { signups: readSignups, sessions: readSessions, messages: readMessages },
      close() {},
    };
  },
});
