import type { StorageAdapter } from '../core/adapter.ts';
import { connect } from './firestore/connection.ts';
import { loadOnDemand } from './firestore/load-on-demand.ts';
import { type FirestoreAdapterOptions, resolveTarget } from './firestore/options.ts';
import { sessionMethods } from './firestore/sessions.ts';
import { signupMethods } from './firestore/signups.ts';
import { tokens } from './firestore/tokens.ts';

export type {
  FirebaseAppLike,
  FirebaseConfig,
  FirestoreAdapterOptions,
  FirestoreLike,
  FirestoreSettings,
} from './firestore/options.ts';

/**
 * Stores data in Cloud Firestore through its REST API, without the Firebase SDK. Requires this project's `firestore.rules` to be
 * deployed, and the functions `send-welcome-email` and `read-analytics` for the welcome email and the summary.
 */
export function firestoreAdapter(options: FirestoreAdapterOptions): StorageAdapter {
  const target = resolveTarget(options);
  const connection = connect(target, tokens(options, target.app));
  return {
    ...signupMethods(connection, options.confirm ? 'pending' : 'created'),
    ...sessionMethods(connection, target.retentionMs),
    sendWelcomeEmail: (email) => connection.attempt(({ call }) => call<void>('send-welcome-email', { email })),
    readSummary: (adminEmail) =>
      connection.attempt(async (calls) => (await loadOnDemand()).readSummary(calls, adminEmail)),
  };
}
