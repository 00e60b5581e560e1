export { firestoreAdapter } from 'early-access-kit/adapters/firestore';
