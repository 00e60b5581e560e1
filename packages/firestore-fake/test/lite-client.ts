import { deleteApp, initializeApp } from 'firebase/app';
import {
  connectFirestoreEmulator,
  type EmulatorMockTokenOptions,
  type Firestore,
  getFirestore,
  setLogLevel,
} from 'firebase/firestore/lite';
import type { FirestoreFake } from '../src/firestore-fake.ts';

// The tests cause errors on purpose, and the SDK would log each of them.
setLogLevel('silent');

let apps = 0;

export interface LiteClient {
  readonly db: Firestore;
  close(): Promise<void>;
}

/** The official lite SDK on the fake: anonymous, with the `owner` token, or with a user's token. */
export function liteClient(
  fake: FirestoreFake,
  as: { mockUserToken?: EmulatorMockTokenOptions | string } = {},
): LiteClient {
  apps += 1;
  const app = initializeApp({ projectId: 'demo-early-access', apiKey: 'key', appId: '1:1:web:1' }, `client-${apps}`);
  const db = getFirestore(app);
  connectFirestoreEmulator(db, '127.0.0.1', Number(new URL(fake.restUrl).port), as);
  return { db, close: () => deleteApp(app) };
}
