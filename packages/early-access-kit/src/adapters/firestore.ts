import type { StorageAdapter } from '../core/adapter.ts';
import { retryOnce } from '../core/errors.ts';
import { rethrowMistake } from '../core/misuse.ts';
import { DEFAULT_BASE } from '../core/protocol.ts';
import { connect } from './firestore/connection.ts';
import { loadOnDemand } from './firestore/load-on-demand.ts';
import { type FirestoreAdapterOptions, refuseUnknownOptions, resolveTarget } from './firestore/options.ts';
import { sessionMethods } from './firestore/sessions.ts';
import { tokens } from './firestore/tokens.ts';

export type {
  FirebaseAppLike,
  FirebaseConfig,
  FirestoreAdapterOptions,
  FirestoreLike,
  FirestoreSettings,
} from './firestore/options.ts';

/**
 * Stores sessions in Cloud Firestore through its REST API, without the Firebase SDK. Signups go through the functions
 * behind Firebase Hosting, or directly to Firestore with `directSignups`. Requires this project's `firestore.rules` and
 * functions to be deployed.
 *
 * @example
 * const adapter = firestoreAdapter({ projectId: 'my-project', apiKey: 'AIza…' });
 */
export function firestoreAdapter(options: FirestoreAdapterOptions): StorageAdapter {
  try {
    if (process.env.NODE_ENV !== 'production') refuseUnknownOptions(options);
  } catch (error) {
    rethrowMistake(error);
  }
  const target = resolveTarget(options);
  const { directSignups, endpoint = DEFAULT_BASE, deadlineMs } = options;
  const connection = connect(target, tokens(options, target.app));
  const { attempt } = connection;
  const loadHttp = async () => (await loadOnDemand()).httpAdapter({ endpoint, deadlineMs });
  return {
    endpoint,
    createSignup: (signup, lang) =>
      retryOnce(() =>
        attempt(async (calls) =>
          directSignups
            ? (await loadOnDemand()).createDirectly(calls, connection, signup, options.confirm ? 'pending' : 'created')
            : calls.signUp(`${endpoint}/signups`, { ...signup, lang }),
        ),
      ),
    // Without direct signups, the function triggered by the new signup sends it.
    async sendWelcomeEmail(email) {
      if (directSignups) await attempt(({ call }) => call('send-welcome-email', { email }));
    },
    inbox: async (...asked) => (await loadHttp()).inbox?.(...asked),
    share: async (...asked) => (await loadHttp()).share?.(...asked),
    count: async () => (await loadHttp()).count?.(),
    ...sessionMethods(connection, target.retentionMs),
    readSummary: (adminEmail) => attempt(async (calls) => (await loadOnDemand()).readSummary(calls, adminEmail)),
  };
}
