// From the Firebase console: Project settings, General, Your apps. None of it is secret.
const project = { projectId: 'demo-early-access', apiKey: 'demo', functionsRegion: 'us-central1' };

const emulator = { firestore: 'http://127.0.0.1:8080', functions: 'http://127.0.0.1:5001' };
const isLocal = ['localhost', '127.0.0.1'].includes(location.hostname);

export const firebaseConfig = isLocal ? { ...project, emulator } : project;
