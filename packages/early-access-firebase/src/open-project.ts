import type { Store } from 'early-access-server/internal';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { firestoreStore } from './firestore/firestore-store.ts';

/** Opens the store of a project with Google's default credentials. */
export function openProject(projectId: string, databaseId: string): Store {
  const firestore = getFirestore(initializeApp({ projectId }), databaseId);
  return { ...firestoreStore({ firestore }), close: () => firestore.terminate() };
}
