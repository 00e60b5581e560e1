import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { startTracker } from 'early-access-kit/tracker';

startTracker({ adapter: firestoreAdapter({ projectId: 'shop', apiKey: 'key' }) });
