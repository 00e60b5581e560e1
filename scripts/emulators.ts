/** What the site's local build has built in: a project without an account, and the addresses of Firebase's own emulators. */
export const EMULATORS = {
  projectId: 'demo-early-access',
  firestoreUrl: 'http://127.0.0.1:8080',
  functionsUrl: 'http://127.0.0.1:5001',
} as const;
