import { StorageError } from '../../core/errors.ts';
import { CALL_DEADLINE_MS } from '../../core/limits.ts';
import { checkEndpoint, refuseUnknown } from '../../core/misuse.ts';
import { DEFAULT_BASE } from '../../core/protocol.ts';

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

/**
 * The part of a `FirebaseApp` that is used, so that a page can pass its own. The tokens of its Auth and App Check are
 * sent.
 */
export interface FirebaseAppLike {
  readonly options: { readonly projectId?: string | undefined; readonly apiKey?: string | undefined };
}

/**
 * A `Firestore` of `firebase/firestore` or `firebase/firestore/lite`, which a page can pass. Its project, its database
 * and the emulator that it is connected to are used, and the tokens of its app's Auth and App Check.
 */
export interface FirestoreLike {
  toJSON(): object;
}

/** The result of `toJSON()` of the SDK's `Firestore`. */
interface Instance {
  readonly app?: SdkApp | undefined;
  /** Its name, or an object that names it. */
  readonly databaseId?: (string & { readonly database?: undefined }) | { readonly database: string } | undefined;
  readonly settings?: { readonly host: string; readonly ssl: boolean };
}

/** The SDK's packages get each other's services from the app in this way. */
export interface SdkApp extends FirebaseAppLike {
  readonly container?: {
    getProvider(name: string): { getImmediate(options: { optional: true }): TokenService | null };
  };
}

interface TokenService {
  getToken(): Promise<{ readonly token?: string; readonly accessToken?: string } | null>;
}

type Token = string | null | undefined;

/** The settings that adapter and rules share. */
export interface FirestoreSettings {
  /**
   * Returns a `firebase/app-check` token; by default that of `app` or `db`. Awaited before a call for at most half the
   * deadline; without a token the call is sent anyway.
   */
  getAppCheckToken?: (() => Token | PromiseLike<Token>) | undefined;
  /**
   * Returns a `firebase/auth` token, for your own rules and functions that require authentication. Awaited like the App
   * Check token.
   */
  getIdToken?: (() => Token | PromiseLike<Token>) | undefined;
  /** The name of the database. Default: that of `db`, or `(default)`. */
  databaseId?: string | undefined;
  /** The region of the functions. Default: `us-central1`. */
  functionsRegion?: string | undefined;
  /** Base URLs (`http://127.0.0.1:8080`) to use instead of Google's, for the emulators. */
  emulator?: { firestore?: string | undefined; functions?: string | undefined } | undefined;
  /** Milliseconds after which a call without a response fails with `unavailable`. Default: 10 seconds. */
  deadlineMs?: number | undefined;
  /** The base URL of the functions' routes: a path of this origin or a full URL. Default: `/api`. */
  endpoint?: string | undefined;
  /**
   * Whether browsers write signups to Firestore themselves, which the rules have to allow: `rules --direct-signups`.
   * Default: false; the function `accept-signups` stores them.
   */
  directSignups?: boolean | undefined;
  /**
   * Whether people have to confirm their address, as `CONFIRM` of the functions says. Browsers that write signups
   * themselves cannot learn it from a response. Default: false.
   */
  confirm?: boolean | undefined;
  /**
   * Days from a session's start to its `expires_at`, when a TTL policy deletes it: 1 to 3650. Default: 395. A visitor's
   * record is stored for at least 31 days.
   */
  retentionDays?: number | undefined;
}

/** The Firebase project, and how the adapter reaches it. */
export type FirestoreAdapterOptions = (FirebaseConfig | { app: FirebaseAppLike } | { db: FirestoreLike }) &
  FirestoreSettings;

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
  readonly app: SdkApp | undefined;
}

type AnyOptions = Partial<FirebaseConfig & { app: SdkApp; db: Partial<FirestoreLike> }> & FirestoreSettings;

/** Complete by its type. */
const NAMES: Readonly<Record<keyof AnyOptions, true>> = {
  ...{ projectId: true, apiKey: true, appId: true, authDomain: true, databaseURL: true, measurementId: true },
  ...{ messagingSenderId: true, storageBucket: true, app: true, db: true, getAppCheckToken: true, getIdToken: true },
  ...{ databaseId: true, functionsRegion: true, emulator: true, deadlineMs: true, confirm: true, retentionDays: true },
  ...{ endpoint: true, directSignups: true },
};

/** For development. Throws a `TypeError` that names every option that there is not. */
export function refuseUnknownOptions(options: AnyOptions): void {
  refuseUnknown('firestoreAdapter', Object.fromEntries(Object.entries(options).filter(([name]) => !(name in NAMES))));
  checkEndpoint('firestoreAdapter', options.endpoint ?? DEFAULT_BASE);
}

export function resolveTarget(options: AnyOptions): Target {
  const { app, databaseId, settings }: Instance = options.db?.toJSON?.() ?? options;
  const { projectId, apiKey } = app?.options ?? options;
  if (!projectId || !apiKey) {
    throw new StorageError('invalid', 'firestoreAdapter needs projectId and apiKey, or db');
  }
  const { emulator = {}, functionsRegion: region = 'us-central1' } = options;
  const root = `projects/${projectId}/databases/${databaseId?.database ?? databaseId ?? '(default)'}/documents`;
  const host = settings ? (settings.ssl ? 'https://' : 'http://') + settings.host : 'https://firestore.googleapis.com';
  const { firestore = host, functions } = emulator;
  return {
    root,
    verbUrl: (verb) => `${firestore}/v1/${root}:${verb}?key=${apiKey}`,
    functionUrl: (name) =>
      functions
        ? `${functions}/${projectId}/${region}/${name}`
        : `https://${region}-${projectId}.cloudfunctions.net/${name}`,
    deadlineMs: options.deadlineMs ?? CALL_DEADLINE_MS,
    retentionMs: (options.retentionDays ?? 395) * 86_400_000,
    app,
  };
}
