import type {} from '@early-access-kit/testkit/firestore-setup';
import { type DatabaseUnderTest, runStoreContract } from 'early-access-server/testing';
import { afterAll, beforeAll, inject } from 'vitest';
import {
  connectToEmulator,
  type FirestoreClient,
  type FirestoreFixture,
  startFirestore,
} from '../fixtures/firestore.ts';
import { firestoreStore } from './firestore-store.ts';

/** More than the suite stores: it knows no schedule that brings the archive up to date, which `analytics.test.ts` checks. */
const LIVE_READS = { sessions: 2_000, moreSessions: 0, signups: 2_000, left: 2_000 };

const emulator = inject('firestoreEmulator');
if (emulator) onEmulator(emulator);
else inMemory();

function onEmulator(host: string): void {
  runStoreContract({
    name: 'Firestore, in Google’s emulator',
    // Its transactions wait two seconds for a lock before they give way.
    concurrent: true,
    shares: false,
    histories: 2,
    createDatabase() {
      const client = connectToEmulator(host);
      return { ...toDatabase(client), close: client.close };
    },
  });
}

function inMemory(): void {
  let now = Date.now;
  let fixture: FirestoreFixture;
  beforeAll(async () => {
    fixture = await startFirestore(() => now());
  });
  afterAll(() => fixture.close());
  runStoreContract({
    name: 'Firestore, in memory',
    shares: false,
    createDatabase(clock) {
      now = clock;
      fixture.fake.store.clear();
      return { ...toDatabase(fixture), close() {} };
    },
  });
}

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
