export { billedReads, dashboardReads, type LiveReads, type SummaryScale } from './stores/firestore/billed-reads.ts';
export { COLLECTIONS, signupId } from './stores/firestore/database.ts';
export { type FirestoreStore, type FirestoreStoreOptions, firestoreStore } from './stores/firestore/firestore-store.ts';
export { firestoreRateLimiter } from './stores/firestore/rate-limiter.ts';
