import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { startProcess } from './child-process.ts';
import { freePort } from './http-server.ts';
import { programOnPath } from './programs.ts';

/** Google's Firestore emulator on this machine: its archive, and a Java runtime. */
export interface FirestoreEmulatorFiles {
  readonly jar: string;
  readonly java: string;
}

/** Access to a running emulator. Each project id has its own database. */
export interface FirestoreEmulatorClient {
  /** `127.0.0.1:PORT`, for `FIRESTORE_EMULATOR_HOST` and for REST. */
  readonly host: string;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /**
   * Returns the database of a project, empty unless the project was used before. Its rules deny everything at first.
   */
  database(projectId: string): FirestoreDatabase;
}

/** Values in the JSON of Firestore's REST API. */
type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A document in the JSON of Firestore's REST API. */
export interface FirestoreDocument {
  readonly name: string;
  readonly fields?: Fields;
  readonly createTime: string;
  readonly updateTime: string;
}

/** One database of the emulator. The methods bypass its rules. */
export interface FirestoreDatabase {
  /** Sets the rules. Rejects with Google's message if they do not compile. */
  setRules(text: string): Promise<void>;
  /** Returns the documents of a collection, keyed by id. */
  list(collection: string): Promise<readonly FirestoreDocument[]>;
  /** Returns the document at a path (`sessions/s1`), or undefined. */
  get(path: string): Promise<FirestoreDocument | undefined>;
  /** Stores a document with exactly these fields. */
  put(path: string, fields: Fields): Promise<void>;
  /** Deletes all documents. */
  clear(): Promise<void>;
}

/** Google's Firestore emulator, running on loopback. */
export interface FirestoreEmulator extends FirestoreEmulatorClient {
  stop(): Promise<void>;
}

/** Named here, because the archive's manifest has no main class. */
const MAIN_CLASS = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';
const OLDEST_JAVA = 17;

/**
 * Looks for the archive at `FIRESTORE_EMULATOR_JAR`, in the cache of firebase-tools, and in the Cloud SDK. The value
 * `none` disables this. Returns a sentence with the missing parts if the emulator cannot run here.
 */
export function findFirestoreEmulator({ env } = process): FirestoreEmulatorFiles | string {
  if (env.FIRESTORE_EMULATOR_JAR === 'none') return 'FIRESTORE_EMULATOR_JAR is "none"';
  const jar = env.FIRESTORE_EMULATOR_JAR || findArchive(env);
  if (jar === undefined || !existsSync(jar)) return 'its archive was not found (firebase setup:emulators:firestore)';
  const java = findJava(env);
  return java === undefined ? `it needs Java ${OLDEST_JAVA} or newer` : { jar, java };
}

/** Returns a sentence on whether tests run on Firestore here, and if not, why. */
export function firestoreSentence(): string {
  const found = findFirestoreEmulator();
  return typeof found === 'string'
    ? `Firestore: not tested, because Google's emulator cannot run: ${found}`
    : `Firestore: Google's emulator (${found.jar})`;
}

/** Starts the emulator with empty databases. Their rules deny everything until `setRules` is called. */
export async function startFirestoreEmulator(
  { jar, java }: FirestoreEmulatorFiles,
  { port, functionsHost }: { readonly port?: number; readonly functionsHost?: string } = {},
): Promise<FirestoreEmulator> {
  const host = `127.0.0.1:${port ?? (await freePort())}`;
  const [address, number] = host.split(':');
  const child = startProcess(
    [
      // An emulator lives for minutes: compiling it thoroughly takes a third of the tests' time, and never pays.
      ...[java, '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Duser.language=en', '-cp', jar, MAIN_CLASS],
      ...[`--host=${address}`, `--port=${number}`],
      ...(functionsHost === undefined ? [] : [`--functions_emulator=${functionsHost}`]),
    ],
    { env: { PATH: process.env.PATH } },
  );
  await child.printedMatch('stdout', /Dev App Server is now running/);
  return { ...connectFirestoreEmulator(host), stop: () => child.end('SIGTERM') };
}

/** Connects to an emulator that another process has started. */
export function connectFirestoreEmulator(host: string): FirestoreEmulatorClient {
  const url = `http://${host}`;
  return { host, url, database: (projectId) => openDatabase(url, projectId) };
}

function openDatabase(url: string, projectId: string): FirestoreDatabase {
  const root = `projects/${projectId}/databases/(default)/documents`;
  const ofProject = `${url}/emulator/v1/projects/${projectId}`;
  /** Returns the parsed response; null if the document does not exist. */
  async function send(method: string, resource: string, body?: unknown) {
    const init = { method, headers: { authorization: 'Bearer owner' }, body: body ? JSON.stringify(body) : null };
    const response = await fetch(resource, init);
    if (!response.ok && response.status !== 404) throw new Error(`the Firestore emulator: ${await response.text()}`);
    return response.ok ? JSON.parse(await response.text()) : null;
  }
  return {
    async setRules(content) {
      await send('PUT', `${ofProject}:securityRules`, { rules: { files: [{ name: 'firestore.rules', content }] } });
    },
    async list(collection) {
      const [, parent = '', collectionId] = /^(.*\/)?([^/]+)$/.exec(collection) ?? [];
      const query = { structuredQuery: { from: [{ collectionId }] } };
      const rows: { document?: FirestoreDocument }[] = await send(
        'POST',
        `${url}/v1/${root}/${parent}`.replace(/\/$/, ':runQuery'),
        query,
      );
      return rows.flatMap(({ document }) => document ?? []);
    },
    async get(document) {
      const found: FirestoreDocument | null = await send('GET', `${url}/v1/${root}/${document}`);
      return found ?? undefined;
    },
    async put(document, fields) {
      await send('PATCH', `${url}/v1/${root}/${document}`, { fields });
    },
    async clear() {
      await send('DELETE', `${ofProject}/databases/(default)/documents`);
    },
  };
}

function findArchive(env: NodeJS.ProcessEnv): string | undefined {
  const inCache = path.join(homedir(), '.cache/firebase/emulators/cloud-firestore-emulator-v*.jar');
  const inSdk = [env.CLOUDSDK_ROOT_DIR, '/usr/lib/google-cloud-sdk', path.join(homedir(), 'google-cloud-sdk')].map(
    (sdk) => sdk && path.join(sdk, 'platform/cloud-firestore-emulator/cloud-firestore-emulator.jar'),
  );
  const newestFirst = globSync(inCache).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return [...newestFirst, ...inSdk].find((file) => file !== undefined && existsSync(file));
}

function findJava({ JAVA_HOME }: NodeJS.ProcessEnv): string | undefined {
  const candidates = [
    JAVA_HOME && path.join(JAVA_HOME, 'bin/java'),
    programOnPath(['java']),
    ...globSync('/usr/lib/jvm/*/bin/java'),
  ];
  return candidates.find((java) => java && existsSync(java) && readJavaVersion(java) >= OLDEST_JAVA);
}

function readJavaVersion(java: string): number {
  const { stderr } = spawnSync(java, ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  return Number(/java\.specification\.version = (\d+)/.exec(stderr)?.[1] ?? 0);
}
