export { firestoreAdapter } from './firestore/adapter.ts';
export type {
  FirebaseAppLike,
  FirebaseConfig,
  FirestoreAdapterOptions,
  FirestoreSettings,
} from './firestore/options.ts';
