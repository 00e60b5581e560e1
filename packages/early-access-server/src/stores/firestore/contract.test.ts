import { afterAll, beforeAll } from 'vitest';
import { type FirestoreFixture, startFirestore } from '../../fixtures/firestore.ts';
import { runStoreContract } from '../../testing/store-contract.ts';
import { firestoreStore } from './firestore-store.ts';

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
      open: (options) => firestoreStore({ firestore, ...options, summaryMaxAgeMs: 0 }),
      readBack: { signups: readSignups, sessions: readSessions, messages: readMessages },
      close() {},
    };
  },
});
