import { firestoreAdapter } from 'early-access-kit/adapters/firestore';

Object.assign(globalThis, { firestoreAdapter });
