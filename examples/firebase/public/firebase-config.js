/** From the Firebase console: Project settings, General, Your apps. None of it is secret. */
export const firebaseConfig = { projectId: 'demo-early-access', apiKey: 'demo' };
