import type { FirebaseConfig, FirestoreAdapterOptions } from 'early-access-kit/adapters/firestore';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The Firestore adapter's options that are set at build time. */
export type FirestoreSettings = FirebaseConfig &
  Pick<FirestoreAdapterOptions, 'databaseId' | 'functionsRegion' | 'retentionDays' | 'emulator' | 'directSignups'>;

export interface FirestoreStorage {
  readonly kind: 'firestore';
  readonly settings: FirestoreSettings;
  /** The reCAPTCHA Enterprise site key; null without App Check. */
  readonly appCheckSiteKey: string | null;
}

/** Where the built site stores signups and sessions. */
export type Storage = { readonly kind: 'http' } | FirestoreStorage;

/** Environment variables by their name in Firebase's config object. */
const CONFIG_VARIABLES = {
  projectId: 'FIREBASE_PROJECT_ID',
  apiKey: 'FIREBASE_API_KEY',
  appId: 'FIREBASE_APP_ID',
} as const;

/**
 * Reads `STORAGE`, `FIREBASE_CONFIG` (the config object as JSON) or one variable per field, and the other settings.
 * Throws a `TypeError` that names the variable to set.
 */
export function readStorage(env: Environment): Storage {
  const kind = env.STORAGE || 'http';
  if (kind === 'http') return { kind };
  if (kind !== 'firestore') throw new TypeError(`STORAGE must be http or firestore, not ${kind}`);
  const appCheckSiteKey = env.APP_CHECK_SITE_KEY || null;
  const config = readConfig(env);
  if (appCheckSiteKey !== null && config.appId === undefined) {
    throw new TypeError('APP_CHECK_SITE_KEY needs appId in FIREBASE_CONFIG, or FIREBASE_APP_ID');
  }
  const emulator = readEmulator(env);
  const retentionDays = readDays(env.RETENTION_DAYS);
  const settings: FirestoreSettings = {
    ...config,
    ...(env.DATABASE_ID && { databaseId: env.DATABASE_ID }),
    functionsRegion: env.FUNCTIONS_REGION || 'us-central1',
    ...(retentionDays !== undefined && { retentionDays }),
    ...(readDirectSignups(env) && { directSignups: true }),
    ...(emulator !== undefined && { emulator }),
  };
  return { kind, settings, appCheckSiteKey };
}

/**
 * Returns the output folder of a build. Each kind has its own, so that an emulator build is never deployed by mistake.
 */
export function outputFolder(storage: Storage): string {
  if (storage.kind === 'http') return 'dist';
  const { emulator, projectId } = storage.settings;
  if (emulator !== undefined) return 'dist-emulator';
  // Projects with this prefix only exist in emulators.
  return projectId.startsWith('demo-') ? 'dist-demo' : 'dist-firestore';
}

/** Constants that the build replaces in the page's code, which removes the code for other storage. */
export function createConstants(storage: Storage): Record<string, string> {
  const firestore = storage.kind === 'firestore' ? storage : null;
  return {
    __STORAGE__: JSON.stringify(storage.kind),
    __FIRESTORE_SETTINGS__: JSON.stringify(firestore?.settings ?? null),
    __APP_CHECK_SITE_KEY__: JSON.stringify(firestore?.appCheckSiteKey ?? null),
  };
}

function readConfig(env: Environment): FirebaseConfig {
  const given = parseConfig(env.FIREBASE_CONFIG);
  const [projectId, apiKey, appId] = (['projectId', 'apiKey', 'appId'] as const).map((name) => {
    const value = env[CONFIG_VARIABLES[name]] || given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  });
  if (projectId === undefined) throw new TypeError(missing('projectId'));
  if (apiKey === undefined) throw new TypeError(missing('apiKey'));
  return { projectId, apiKey, ...(appId !== undefined && { appId }) };
}

function missing(name: keyof typeof CONFIG_VARIABLES): string {
  return `STORAGE=firestore needs ${name} in FIREBASE_CONFIG (the config object as JSON), or ${CONFIG_VARIABLES[name]}`;
}

function parseConfig(text: string | undefined): Readonly<Record<string, unknown>> {
  if (!text) return {};
  try {
    const config: unknown = JSON.parse(text);
    if (typeof config === 'object' && config !== null) return Object.fromEntries(Object.entries(config));
  } catch {
    // The error below reports it.
  }
  throw new TypeError('FIREBASE_CONFIG must be JSON: {"projectId":"…","apiKey":"…","appId":"…"}');
}

/** Returns whether pages write signups to Firestore directly, where no human check is possible. */
export function readDirectSignups({ DIRECT_SIGNUPS: given, HUMAN_CHECK: check }: Environment): boolean {
  if (!['on', 'off', '', undefined].includes(given)) throw new TypeError('DIRECT_SIGNUPS must be on or off');
  if (given !== 'on') return false;
  if (check && check !== 'off') throw new TypeError('DIRECT_SIGNUPS must be off, because HUMAN_CHECK is set');
  return true;
}

/** Requires both or neither, so that a page never writes to one project and sends mail from another. */
function readEmulator({ FIRESTORE_URL: firestore, FUNCTIONS_URL: functions }: Environment) {
  if (!firestore && !functions) return undefined;
  return { firestore: readOrigin('FIRESTORE_URL', firestore), functions: readOrigin('FUNCTIONS_URL', functions) };
}

function readOrigin(name: string, value: string | undefined): string {
  const url = value !== undefined && URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol.startsWith('http')) return url.origin;
  throw new TypeError(`${name} must be the emulator's address, such as http://127.0.0.1:8080`);
}

function readDays(value: string | undefined): number | undefined {
  if (!value) return undefined;
  const days = Number(value);
  if (Number.isInteger(days) && days >= 1 && days <= 3_650) return days;
  throw new TypeError('RETENTION_DAYS must be a whole number from 1 to 3650');
}
