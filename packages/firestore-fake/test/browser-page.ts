import { deleteApp, initializeApp } from 'firebase/app';
import {
  collection,
  connectFirestoreEmulator,
  doc,
  getCount,
  getDoc,
  getFirestore,
  increment,
  runTransaction,
  serverTimestamp,
  setDoc,
  updateDoc,
} from 'firebase/firestore/lite';

/** Runs in the page of the browser test: uses the official SDK with the server on the port in the URL. */
async function use(port: number): Promise<readonly unknown[]> {
  const app = initializeApp({ projectId: 'demo-early-access', apiKey: 'key', appId: '1:1:web:1' });
  const db = getFirestore(app);
  connectFirestoreEmulator(db, '127.0.0.1', port);
  const session = doc(db, 'sessions/session-1');
  const code = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : 'no error');
  await setDoc(session, { pages: 1, at: serverTimestamp() });
  await updateDoc(session, { pages: increment(2) });
  await runTransaction(db, async (transaction) => {
    transaction.update(session, { pages: ((await transaction.get(session)).data()?.pages ?? 0) * 10 });
  });
  const outcomes = [
    (await getDoc(session)).data()?.pages,
    (await getDoc(doc(db, 'sessions/missing'))).exists(),
    await setDoc(doc(db, 'closed/one'), {}).then(() => 'written', code),
    await getCount(collection(db, 'sessions')).then(() => 'counted', code),
  ];
  await deleteApp(app);
  return outcomes;
}

use(Number(new URLSearchParams(location.search).get('port'))).then(
  (outcomes) => document.body.append(JSON.stringify(outcomes)),
  (error: unknown) => document.body.append(String(error)),
);
