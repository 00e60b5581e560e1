import { StorageError } from '../../core/errors.ts';
import { CALL_DEADLINE_MS } from '../../core/limits.ts';

/** The object passed to the Firebase SDK's `initializeApp`. Only `projectId` and `apiKey` are used. */
export interface FirebaseConfig {
  projectId: string;
  apiKey: string;
  appId?: string | undefined;
  authDomain?: string | undefined;
  databaseURL?: string | undefined;
  measurementId?: string | undefined;
  messagingSenderId?: string | undefined;
  storageBucket?: string | undefined;
}

/** The part of a `FirebaseApp` that is used, so that a page can pass its own. */
export interface FirebaseAppLike {
  readonly options: { readonly projectId?: string | undefined; readonly apiKey?: string | undefined };
}

type Token = string | null | undefined;

export interface FirestoreSettings {
  /**
   * Returns a `firebase/app-check` token. Awaited before a call for at most half the deadline; without a token the call is sent anyway.
   */
  getAppCheckToken?: (() => Token | PromiseLike<Token>) | undefined;
  /** Returns a `firebase/auth` token, for your own rules and functions that require authentication. Awaited like the App Check token. */
  getIdToken?: (() => Token | PromiseLike<Token>) | undefined;
  /** The name of the database. Default: `(default)`. */
  databaseId?: string | undefined;
  /** The region of the functions. Default: `us-central1`. */
  functionsRegion?: string | undefined;
  /** Base URLs (`http://127.0.0.1:8080`) to use instead of Google's, for the emulators. */
  emulator?: { firestore?: string | undefined; functions?: string | undefined } | undefined;
  /** Milliseconds after which a call without a response fails with `unavailable`. Default: 10 seconds. */
  deadlineMs?: number | undefined;
  /**
   * Days from a session's start to its `expires_at`, when a TTL policy deletes it: 1 to 3650. Default: 395. A visitor's record is
   * stored for at least 31 days.
   */
  retentionDays?: number | undefined;
}

export type FirestoreAdapterOptions = (FirebaseConfig | { app: FirebaseAppLike }) & FirestoreSettings;

/** The options with all defaults applied. */
export interface Target {
  /** Prefix of document names. */
  readonly root: string;
  /** Returns the URL of a Firestore API method. */
  verbUrl(verb: string): string;
  /** Returns the URL of a callable function. */
  functionUrl(name: string): string;
  readonly deadlineMs: number;
  readonly retentionMs: number;
}

export function resolveTarget(options: FirestoreAdapterOptions): Target {
  const { projectId, apiKey } = 'app' in options ? options.app.options : options;
  if (!projectId || !apiKey) {
    throw new StorageError('invalid', 'firestoreAdapter needs projectId and apiKey');
  }
  const { emulator = {}, databaseId = '(default)', functionsRegion: region = 'us-central1' } = options;
  const root = `projects/${projectId}/databases/${databaseId}/documents`;
  const { firestore = 'https://firestore.googleapis.com', functions } = emulator;
  return {
    root,
    verbUrl: (verb) => `${firestore}/v1/${root}:${verb}?key=${apiKey}`,
    functionUrl: (name) =>
      functions
        ? `${functions}/${projectId}/${region}/${name}`
        : `https://${region}-${projectId}.cloudfunctions.net/${name}`,
    deadlineMs: options.deadlineMs ?? CALL_DEADLINE_MS,
    retentionMs: (options.retentionDays ?? 395) * 86_400_000,
  };
}
