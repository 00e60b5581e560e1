/** The folder whose `node_modules` has firebase-tools. Null: it is not installed. */
export function firebaseToolsFolder({ env } = process): string | null {
  return env.FIREBASE_TOOLS || null;
}
