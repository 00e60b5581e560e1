const firestorePort = Number(process.env.FIRESTORE_PORT || 8080);
const functionsPort = Number(process.env.FUNCTIONS_PORT || 5001);

/** Where the local site expects Firestore and the functions: on the ports of Firebase's own emulators, unless told otherwise. */
export const EMULATORS = {
  projectId: 'demo-early-access',
  firestorePort,
  functionsPort,
  firestoreUrl: `http://127.0.0.1:${firestorePort}`,
  functionsUrl: `http://127.0.0.1:${functionsPort}`,
} as const;
