import { StorageError } from '../../core/errors.ts';
import { CALL_DEADLINE_MS } from '../../core/limits.ts';

/** The object that `initializeApp` of the Firebase SDK takes. Only `projectId` and `apiKey` are used. */
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

/** What is used of a `FirebaseApp`, so that a page that has one can hand it over. */
export interface FirebaseAppLike {
  readonly options: { readonly projectId?: string | undefined; readonly apiKey?: string | undefined };
}

type Token = string | null | undefined;

export interface FirestoreSettings {
  /** A token of `firebase/app-check`. Awaited before a call, at most half the deadline; the call goes without one where none comes. */
  getAppCheckToken?: (() => Token | PromiseLike<Token>) | undefined;
  /** A token of `firebase/auth`, for rules and functions of your own that ask for a sign-in. Awaited like the other. */
  getIdToken?: (() => Token | PromiseLike<Token>) | undefined;
  /** Where the functions run; `us-central1` unless given. */
  functionsRegion?: string | undefined;
  /** Addresses (`http://127.0.0.1:8080`) to use in place of Google's, for the emulators. */
  emulator?: { firestore?: string | undefined; functions?: string | undefined } | undefined;
  /** Milliseconds after which a call that has no answer fails with `unavailable`; 10 seconds unless given. */
  deadlineMs?: number | undefined;
  /** Days from a session's start to the `expires_at` that a TTL policy deletes it by, 1 to 3650; 395 unless given. A visitor's record has at least 31. */
  retentionDays?: number | undefined;
}

export type FirestoreAdapterOptions = (FirebaseConfig | { app: FirebaseAppLike }) & FirestoreSettings;

/** The options with everything decided that may be left out. */
export interface Target {
  /** Before a document's path, in names. */
  readonly root: string;
  /** Where a verb of Firestore's API is called. */
  verbUrl(verb: string): string;
  /** Where a callable function is. */
  functionUrl(name: string): string;
  readonly deadlineMs: number;
  readonly retentionMs: number;
}

export function resolveTarget(options: FirestoreAdapterOptions): Target {
  const { projectId, apiKey } = 'app' in options ? options.app.options : options;
  if (!projectId || !apiKey) {
    throw new StorageError('invalid', 'firestoreAdapter needs projectId and apiKey');
  }
  const { emulator = {}, functionsRegion: region = 'us-central1' } = options;
  const root = `projects/${projectId}/databases/(default)/documents`;
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
