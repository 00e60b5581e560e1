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
 * The part of a `FirebaseApp` that is used, so that a page can pass its own. Its Auth and App Check tokens are sent.
 */
export interface FirebaseAppLike {
  readonly options: { readonly projectId?: string | undefined; readonly apiKey?: string | undefined };
}

/**
 * A `Firestore` from `firebase/firestore` or `firebase/firestore/lite`. Its project, database and emulator are used,
 * and the Auth and App Check tokens of its app.
 */
export interface FirestoreLike {
  toJSON(): object;
}

/** The result of `toJSON()` of the SDK's `Firestore`. */
interface Instance {
  readonly app?: SdkApp | undefined;
  /** The name of the database, or an object that contains it. */
  readonly databaseId?: (string & { readonly database?: undefined }) | { readonly database: string } | undefined;
  readonly settings?: { readonly host: string; readonly ssl: boolean };
}

/** How the SDK's packages access each other's services. */
export interface SdkApp extends FirebaseAppLike {
  readonly container?: {
    getProvider(name: string): { getImmediate(options: { optional: true }): TokenService | null };
  };
}

interface TokenService {
  getToken(): Promise<{ readonly token?: string; readonly accessToken?: string } | null>;
}

type Token = string | null | undefined;

/** Settings besides the Firebase project. All are optional. */
export interface FirestoreSettings {
  /**
   * Returns a `firebase/app-check` token. Default: that of `app` or `db`. A call waits for it for at most half the
   * deadline and is then sent without a token.
   */
  getAppCheckToken?: (() => Token | PromiseLike<Token>) | undefined;
  /**
   * Returns a `firebase/auth` token, for your own rules and functions that require authentication. A call waits for it
   * like for the App Check token.
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
   * Browsers write signups to Firestore directly, which the rules have to allow: `rules --direct-signups`. Default:
   * false; the function `accept-signups` stores them.
   */
  directSignups?: boolean | undefined;
  /**
   * People have to confirm their address. Set it to the value of `CONFIRM` of the functions; only read with
   * `directSignups`, because there is no response that contains it. Default: false.
   */
  confirm?: boolean | undefined;
  /**
   * Days from a session's start to its `expires_at`, when a TTL policy deletes it: 1 to 3650. Default: 395. A visitor's
   * record is stored for at least 31 days.
   */
  retentionDays?: number | undefined;
}

/** The Firebase project and settings of the adapter. */
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

/** The type ensures that no name is missing. */
const NAMES: Readonly<Record<keyof AnyOptions, true>> = {
  ...{ projectId: true, apiKey: true, appId: true, authDomain: true, databaseURL: true, measurementId: true },
  ...{ messagingSenderId: true, storageBucket: true, app: true, db: true, getAppCheckToken: true, getIdToken: true },
  ...{ databaseId: true, functionsRegion: true, emulator: true, deadlineMs: true, confirm: true, retentionDays: true },
  ...{ endpoint: true, directSignups: true },
};

/** For development. Throws a `TypeError` that names all unknown options. */
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
