export { type FirestoreStore, type FirestoreStoreOptions, firestoreStore } from './firestore/firestore-store.ts';
export { firestoreRateLimiter } from './firestore/rate-limiter.ts';
