import type { StorageAdapter } from '../../core/adapter.ts';
import type { AnalyticsSummary } from '../../core/records.ts';
import { connect } from './connection.ts';
import { type FirestoreAdapterOptions, resolveTarget } from './options.ts';
import { sessionMethods } from './sessions.ts';
import { signupMethods } from './signups.ts';
import { tokens } from './tokens.ts';

/**
 * Stores in Cloud Firestore, through its REST API and without the Firebase SDK. `firestore.rules` of this project have to be
 * deployed; the welcome email and the summary are the functions `send-welcome-email` and `read-analytics`.
 */
export function firestoreAdapter(options: FirestoreAdapterOptions): StorageAdapter {
  const target = resolveTarget(options);
  const connection = connect(target, tokens(options));
  return {
    ...signupMethods(connection),
    ...sessionMethods(connection, target.retentionMs),
    sendWelcomeEmail: (email) => connection.attempt(({ call }) => call<void>('send-welcome-email', { email })),
    readSummary: (adminEmail) =>
      connection.attempt(async ({ call }) => {
        const summary = await call<AnalyticsSummary>('read-analytics', { adminEmail });
        if (typeof summary?.unique_visitors !== 'number') throw new TypeError('not a summary');
        return summary;
      }),
  };
}
