import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readIndexes } from '@early-access-kit/testkit/firestore-indexes';
import { type ProxiedDatabase, startFirestoreProxy } from '@early-access-kit/testkit/firestore-proxy';
import { generateRules } from '../../../early-access-firebase/src/rules/generate-rules.ts';
import { type FirestoreAdapterOptions, firestoreAdapter } from '../../src/adapters/firestore.ts';
import type { StorageAdapter } from '../../src/core/adapter.ts';
import type { FieldDeclarations } from '../../src/core/fields.ts';
import { type AdminDatabase, adminDatabase } from './admin-database.ts';
import { type Callables, serveCallables } from './callables.ts';

const DEPLOYED = new URL('../../../early-access-firebase/', import.meta.url);
const INDEXES = new URL('firestore.indexes.json', DEPLOYED);
/** The deployed rules. */
export const RULES = readFileSync(new URL('firestore.rules', DEPLOYED), 'utf8');

/** A database with the project's rules in Google's emulator, and fakes of the two functions. */
export interface Backend {
  /** The database, with a proxy that can make requests fail. */
  readonly database: ProxiedDatabase;
  readonly urls: { readonly firestore: string; readonly functions: string };
  readonly callables: Callables;
  /** Reads with the official SDK, bypassing the rules and the faults. */
  readonly admin: AdminDatabase;
  /** The emulator's own URL, for `admin`. */
  readonly adminUrl: string;
  /** Creates the adapter of another visitor's page. */
  visitor(options?: Partial<FirestoreAdapterOptions>): StorageAdapter;
  /** Makes Firestore and the functions fail with status 500, or never respond. */
  breakDown(how: 'fail' | 'hang'): void;
  stop(): Promise<void>;
}

export interface BackendOptions {
  adminEmail?: string | undefined;
  fields?: FieldDeclarations;
  /** The rules let browsers write signups. Default: true. */
  directSignups?: boolean;
}

/** Starts a backend in the emulator at this host. */
export async function startBackend(host: string, options: BackendOptions = {}): Promise<Backend> {
  const { adminEmail = 'admin@example.com', fields } = options;
  const projectId = newProjectId();
  const proxy = await startFirestoreProxy(host, readIndexes(INDEXES));
  const database = proxy.database(projectId);
  await database.setRules(generateRules(RULES, { directSignups: true, ...options }));
  const adminUrl = `http://${host}`;
  const admin = adminDatabase(projectId, adminUrl, fields);
  const callables = await serveCallables({ admin, adminEmail });
  const urls = { firestore: proxy.restUrl, functions: callables.url };
  return {
    database,
    urls,
    callables,
    admin,
    adminUrl,
    visitor: (more) =>
      firestoreAdapter({ projectId, apiKey: 'demo-key', emulator: urls, directSignups: true, ...more }),
    breakDown(how) {
      database.faults.always(how === 'fail' ? { status: 500 } : { hang: true });
      callables.breakDown(how);
    },
    async stop() {
      await admin.close();
      await callables.stop();
      await proxy.close();
    },
  };
}

export function newProjectId(): string {
  return `demo-${randomUUID()}`;
}
